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
  /** The name of the screen's address in `ADDRESSES`. */
  readonly name: AddressName;
  readonly title: Readonly<Record<Language, string>>;
  /** Scopes of API keys. The session needs at least one of them; otherwise, the navigation hides the screen. */
  readonly scopes: readonly Scope[];
  /** Loads the component. Its code is not part of the first load of the console. */
  readonly load: () => Promise<ComponentType>;
  /** The entry of the screen in the navigation and in the command palette. Absent for screens of a single item. */
  readonly navigation?: ScreenNavigation;
}

export interface ScreenNavigation {
  readonly group: ScreenGroup;
  readonly icon: Icon;
  /** The key that opens the screen when pressed after `g`. */
  readonly key: string;
  /** Further words that find the screen in the command palette. */
  readonly words?: string;
}

/** Returns true if a key with these scopes may use the screen. */
export function canOpenScreen({ scopes }: Pick<Screen, 'scopes'>, granted: readonly string[]): boolean {
  return scopes.some((scope) => granted.includes(scope));
}
