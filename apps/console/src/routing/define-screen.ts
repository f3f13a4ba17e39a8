import type { ComponentType } from 'react';
import type { Icon } from '../components/icons.js';
import type { Language } from '../language/define-messages.js';
import type { AddressName } from './addresses.js';

/** The scopes of API keys. The last scope is reserved for operators. */
export const SCOPES = ['query', 'ingest', 'manage', 'operate'] as const;
export type Scope = (typeof SCOPES)[number];

/** The groups of the navigation, in order. */
export const GROUPS = ['knowledge', 'agents', 'administration', 'operation'] as const;
export type ScreenGroup = (typeof GROUPS)[number];

/** The declaration of a screen of the console. */
export interface Screen {
  /** The key of the screen in `ADDRESSES`. */
  readonly name: AddressName;
  readonly title: Readonly<Record<Language, string>>;
  /** The scopes of which the session needs at least one. Otherwise, the navigation hides the screen. */
  readonly scopes: readonly Scope[];
  /** Loads the component. Its code is not part of the first load of the console. */
  readonly load: () => Promise<ComponentType>;
  /**
   * The entry of the screen in the navigation and in the command palette. Absent for a screen that shows a single item.
   */
  readonly navigation?: ScreenNavigation;
}

export interface ScreenNavigation {
  readonly group: ScreenGroup;
  readonly icon: Icon;
  /** The key that opens the screen when pressed after `g`. */
  readonly key: string;
  /** Additional search words with which the command palette finds the screen. */
  readonly words?: string;
}

/** Returns true if the granted scopes of an API key allow the use of the screen. */
export function canOpenScreen({ scopes }: Pick<Screen, 'scopes'>, granted: readonly string[]): boolean {
  return scopes.some((scope) => granted.includes(scope));
}
