import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Maximum number of presses of Tab before a control counts as unreachable. */
const MAX_STOPS = 60;

/** Script that returns the tag and name of the focused element, and whether it has a visible focus ring. */
const FOCUS = `(() => {
  const element = document.activeElement;
  const hasRing = (target) => {
    const style = target === null ? undefined : getComputedStyle(target);
    return style !== undefined && ((style.outlineStyle !== 'none' && style.outlineWidth !== '0px') || style.boxShadow !== 'none');
  };
  if (element === document.body) return { name: 'BODY', isVisible: false };
  const name = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 40);
  return { name: element.tagName + ' ' + name, isVisible: element.matches(':focus-visible') && hasRing(element) };
})()`;

interface Focus {
  readonly name: string;
  readonly isVisible: boolean;
}

/** Waits until a control has the focus. */
export async function expectFocus(target: Locator): Promise<void> {
  await target.and(target.page().locator(':focus')).waitFor();
}

/**
 * Presses Tab until a control has the focus. Expects a visible focus ring on each control that gets the focus.
 *
 * @throws Error if the control has no focus after `MAX_STOPS` presses
 */
export async function pressTabUntil(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  const visited: string[] = [];
  while (visited.length < MAX_STOPS) {
    await page.keyboard.press(key);
    const focus = await page.evaluate<Focus>(FOCUS);
    visited.push(focus.name);
    // After the last control, Tab leaves the page: the body then counts as focused, without a ring.
    if (focus.name !== 'BODY') expect(focus).toEqual({ ...focus, isVisible: true });
    if ((await target.and(page.locator(':focus')).count()) === 1) return;
  }
  throw new Error(
    `expected the key ${key} to focus ${String(target)}, found that it focused only:\n${visited.join('\n')}`,
  );
}

/** Moves the focus to a control with Tab, and presses Enter. */
export async function pressEnterOn(page: Page, target: Locator): Promise<void> {
  await pressTabUntil(page, target);
  await page.keyboard.press('Enter');
}
