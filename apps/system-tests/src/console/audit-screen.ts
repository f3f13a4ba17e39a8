import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { AccessibilityAudit } from './accessibility-audit.js';
import { forEachAppearance, type Appearance } from './appearances.js';

/** The pictures of the last run. Git ignores them. */
const FOLDER = fileURLToPath(new URL('../../dist/pictures/', import.meta.url));

/**
 * Audits the current state of a page in each appearance, and takes a picture of each. Expects no violation. One walk
 * through the appearances does both, because each change of the appearance takes time.
 *
 * @param name of the pictures: `dist/pictures/<name>-<language>-<theme>.png`
 */
export async function auditScreen(page: Page, name: string): Promise<void> {
  const audit = new AccessibilityAudit();
  await forEachAppearance(page, async (appearance) => {
    await audit.addViolations(page, appearance);
    await savePicture(page, name, appearance);
  });
  audit.expectNoViolation();
}

/** Audits the current state of a page in each appearance. Expects no violation. */
export async function expectAccessible(page: Page): Promise<void> {
  const audit = new AccessibilityAudit();
  await forEachAppearance(page, (appearance) => audit.addViolations(page, appearance));
  audit.expectNoViolation();
}

async function savePicture(page: Page, name: string, { theme, language }: Appearance): Promise<void> {
  await page.screenshot({ path: `${FOLDER}${name}-${language}-${theme}.png` });
}
