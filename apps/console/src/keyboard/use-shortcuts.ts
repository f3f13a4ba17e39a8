import { useEffect, useRef } from 'react';

/** A keyboard shortcut: one key such as `?`, two such as `g d`, or `mod+k` for Ctrl-K and ⌘-K. */
export interface Shortcut {
  readonly keys: string;
  readonly onPress: () => void;
}

/** Maximum time between the two keys of a shortcut, in milliseconds. */
const SEQUENCE_MS = 1_200;

/** Runs keyboard shortcuts of the whole page. In form fields, dialogs and menus, runs only shortcuts with `mod+`. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    let first: { readonly key: string; readonly at: number } | undefined;
    const handleKey = (event: KeyboardEvent): void => {
      const pressed = formatPressedKey(event);
      if (pressed === undefined) return;
      const isInSequence = first !== undefined && event.timeStamp - first.at < SEQUENCE_MS;
      const candidates = isInSequence && first !== undefined ? [`${first.key} ${pressed}`, pressed] : [pressed];
      const found = candidates.flatMap((keys) => latest.current.filter((shortcut) => shortcut.keys === keys))[0];
      first = found === undefined ? { key: pressed, at: event.timeStamp } : undefined;
      if (found === undefined) return;
      event.preventDefault();
      found.onPress();
    };
    document.addEventListener('keydown', handleKey);
    return () => {
      document.removeEventListener('keydown', handleKey);
    };
  }, []);
}

/**
 * Formats a pressed key as in `Shortcut.keys`. Returns undefined for a key without `mod+` in a form field, dialog or
 * menu.
 */
export function formatPressedKey(event: KeyboardEvent): string | undefined {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (key === 'Unidentified' || event.isComposing || event.defaultPrevented) return undefined;
  if ((ctrlKey || metaKey) && !altKey) return `mod+${key.toLowerCase()}`;
  if (ctrlKey || metaKey || altKey) return undefined;
  if (target instanceof Element && target.closest(OWN_KEYS) !== null) return undefined;
  return key;
}

const OWN_KEYS = 'input, textarea, select, [contenteditable], dialog, [role=menu]';
