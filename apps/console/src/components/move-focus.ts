/** CSS selector of the enabled items of a menu and the enabled tabs of a tab list. */
const ITEMS = '[role^=menuitem]:not(:disabled), [role=tab]:not(:disabled)';

/**
 * Moves the focus to another item of a menu, or to another tab of a tab list. Handles arrow keys, Home, End and
 * letters.
 *
 * @returns false if the key does not move the focus
 */
export function moveFocus(list: Element, key: string): boolean {
  const items = [...list.querySelectorAll<HTMLElement>(ITEMS)];
  const current = items.findIndex((item) => item === document.activeElement);
  const texts = items.map(({ textContent }) => textContent);
  const next = findNextItem(texts, current, key);
  if (next === undefined) return false;
  items[next]?.focus();
  return true;
}

/**
 * Returns the index of the item to which a key moves the focus; undefined if the key does not move the focus. Arrow
 * keys wrap around at the ends. A letter selects the next item that starts with the letter.
 *
 * @param current index of the focused item; -1 if none has the focus
 */
export function findNextItem(texts: readonly string[], current: number, key: string): number | undefined {
  const count = texts.length;
  if (count === 0) return undefined;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key === 'ArrowDown' || key === 'ArrowRight') return (current + 1) % count;
  if (key === 'ArrowUp' || key === 'ArrowLeft') return (Math.max(current, 0) - 1 + count) % count;
  if (key.length !== 1 || key === ' ') return undefined;
  const order = texts.map((_text, index) => (Math.max(current, -1) + 1 + index) % count);
  return order.find((index) => (texts[index] ?? '').trim().toLowerCase().startsWith(key.toLowerCase()));
}
