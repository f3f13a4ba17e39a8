import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { forEachAppearance } from './appearances.js';

/** The pictures of the last run. Git ignores them. */
const FOLDER = fileURLToPath(new URL('../../dist/pictures/', import.meta.url));

/** Takes a picture of the window in each theme and language, as `dist/pictures/<name>-<language>-<theme>.png`. */
export async function takePicture(page: Page, name: string): Promise<void> {
  await forEachAppearance(page, async ({ theme, language }) => {
    await page.screenshot({ path: `${FOLDER}${name}-${language}-${theme}.png` });
  });
}
