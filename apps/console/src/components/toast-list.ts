import type { Language } from '../language/define-messages.js';

export interface Toast {
  /**
   * Returns the text of the toast in a language. It is a function, so that a shown toast changes its language with the
   * console.
   */
  readonly text: (language: Language) => string;
  /** The kind of the toast. `danger` reports a failure: the toast stays until the user dismisses it. */
  readonly kind?: 'success' | 'warning' | 'danger';
  /** Reverts the action that the toast reports. A toast with `onUndo` is shown longer than other toasts. */
  readonly onUndo?: () => void;
}

export interface ShownToast extends Toast {
  readonly id: number;
}

const SHOWN_MS = 5_000;
const SHOWN_WITH_UNDO_MS = 10_000;
const MAX_TOASTS = 3;

/** Returns the time for which a toast is shown, in milliseconds. Undefined: until the user dismisses it. */
export function getToastDisplayMs({ kind, onUndo }: Toast): number | undefined {
  if (kind === 'danger') return undefined;
  return onUndo === undefined ? SHOWN_MS : SHOWN_WITH_UNDO_MS;
}

/**
 * Returns the shown toasts with a new toast added. If there are then more than `MAX_TOASTS`, removes the oldest ones,
 * but no toast that reports a failure. A failure replaces a shown failure with the same text.
 */
export function addToast(shown: readonly ShownToast[], added: ShownToast): readonly ShownToast[] {
  const others = shown.filter(
    ({ kind, text }) => kind !== 'danger' || added.kind !== 'danger' || text('en') !== added.text('en'),
  );
  const excess = others.length + 1 - MAX_TOASTS;
  const leaving = others.filter((toast) => getToastDisplayMs(toast) !== undefined).slice(0, Math.max(0, excess));
  return [...others.filter((toast) => !leaving.includes(toast)), added];
}
