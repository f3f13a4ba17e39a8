import type { Page } from 'playwright-core';

/** Combines a theme and a language in which a test shows the console. */
export interface Appearance {
  readonly theme: 'light' | 'dark';
  readonly language: 'en' | 'de';
}

/**
 * Appearances in which the tests show each screen. Two suffice, because colors depend only on the theme, and texts and
 * their widths only on the language.
 */
const APPEARANCES: readonly Appearance[] = [
  { theme: 'light', language: 'en' },
  { theme: 'dark', language: 'de' },
];

/**
 * Shows a page in each appearance, and calls `check` with this appearance. Open dialogs stay open. At the end, restores
 * the light theme and English.
 */
export async function forEachAppearance(page: Page, check: (appearance: Appearance) => Promise<void>): Promise<void> {
  for (const appearance of APPEARANCES) {
    await showAppearance(page, appearance);
    await check(appearance);
  }
  await showAppearance(page, { theme: 'light', language: 'en' });
}

/**
 * Shows an open page in the given theme and language, and waits until the language has changed. Acts as if the user
 * changed the theme of the operating system, and the language in another tab of the console.
 */
export async function showAppearance(page: Page, { theme, language }: Appearance): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.evaluate(`
    localStorage.setItem('quarry.language', '${language}');
    dispatchEvent(new StorageEvent('storage', { key: 'quarry.language', newValue: '${language}' }));
  `);
  await page.locator(`html[lang=${language}]`).waitFor();
}
