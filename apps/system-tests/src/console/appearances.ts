import type { Page } from 'playwright-core';

/** A theme and a language of the console. */
export interface Appearance {
  readonly theme: 'light' | 'dark';
  readonly language: 'en' | 'de';
}

/** Each theme and each language once: colors depend on the theme alone, and texts and their widths on the language alone. */
const APPEARANCES: readonly Appearance[] = [
  { theme: 'light', language: 'en' },
  { theme: 'dark', language: 'de' },
];

/** Calls `look` for a page in each appearance, without closing dialogs. Ends in English and light. */
export async function forEachAppearance(page: Page, look: (appearance: Appearance) => Promise<void>): Promise<void> {
  for (const appearance of APPEARANCES) {
    await showAppearance(page, appearance);
    await look(appearance);
  }
  await showAppearance(page, { theme: 'light', language: 'en' });
}

/** Changes the theme of the system, and the language like another tab of the console. */
export async function showAppearance(page: Page, { theme, language }: Appearance): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.evaluate(`
    localStorage.setItem('quarry.language', '${language}');
    dispatchEvent(new StorageEvent('storage', { key: 'quarry.language', newValue: '${language}' }));
  `);
  await page.locator(`html[lang=${language}]`).waitFor();
}
