import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { AccessibilityAudit } from './accessibility-audit.js';
import { forEachAppearance, type Appearance } from './appearances.js';

/** Path of the folder for the screenshots of the last test run. Git ignores the folder. */
const FOLDER = fileURLToPath(new URL('../../dist/pictures/', import.meta.url));

/**
 * Audits the accessibility of a page in its current state, and takes a screenshot, in each appearance. Expects no
 * violation. The audit and the screenshots share one pass, because each change of the appearance takes time.
 *
 * @param name first part of the file names: `dist/pictures/<name>-<language>-<theme>.png`
 */
export async function auditScreenInEachAppearance(page: Page, name: string): Promise<void> {
  const audit = new AccessibilityAudit();
  await forEachAppearance(page, async (appearance) => {
    await audit.addViolations(page, appearance);
    await saveScreenshot(page, name, appearance);
  });
  audit.expectNoViolation();
}

/** Audits the accessibility of a page in its current state in each appearance. Expects no violation. */
export async function expectNoAccessibilityViolation(page: Page): Promise<void> {
  const audit = new AccessibilityAudit();
  await forEachAppearance(page, (appearance) => audit.addViolations(page, appearance));
  audit.expectNoViolation();
}

async function saveScreenshot(page: Page, name: string, { theme, language }: Appearance): Promise<void> {
  await page.screenshot({ path: `${FOLDER}${name}-${language}-${theme}.png` });
}
