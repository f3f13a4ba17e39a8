import type { ComponentType } from 'react';
import type { Icon } from '../components/icons.js';
import type { Language } from '../language/define-messages.js';
import type { AddressName } from './addresses.js';

/** The scopes of API keys. Only operators have the scope `operate`. */
export const SCOPES = ['query', 'ingest', 'manage', 'operate'] as const;
export type Scope = (typeof SCOPES)[number];

/** The groups of screens in the navigation, in the order in which they are shown. */
export const GROUPS = ['knowledge', 'agents', 'administration', 'operation'] as const;
export type ScreenGroup = (typeof GROUPS)[number];

/** The declaration of a screen of the console. */
export interface Screen {
  /** The key of the screen in `ADDRESSES`. */
  readonly name: AddressName;
  readonly title: Readonly<Record<Language, string>>;
  /** The scopes of which the session's API key needs at least one. Otherwise, the navigation hides the screen. */
  readonly scopes: readonly Scope[];
  /** Loads the component of the screen, whose code is not part of the first load of the console. */
  readonly load: () => Promise<ComponentType>;
  /**
   * The entry of the screen in the navigation and in the command palette. Absent for a screen that shows a single item.
   */
  readonly navigation?: ScreenNavigation;
}

export interface ScreenNavigation {
  readonly group: ScreenGroup;
  readonly icon: Icon;
  /** The keyboard key that opens the screen when the user presses it after `g`. */
  readonly key: string;
  /** Additional search words with which the command palette finds the screen. */
  readonly words?: string;
}

/** Returns true if the granted scopes of an API key allow opening the screen. */
export function canOpenScreen({ scopes }: Pick<Screen, 'scopes'>, granted: readonly string[]): boolean {
  return scopes.some((scope) => granted.includes(scope));
}
