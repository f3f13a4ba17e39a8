import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { forEachAppearance } from './appearances.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of WCAG 2.2 to level AA, and the best practices. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Audits the current state of a page in light and dark, in English and German. Expects no violation. */
export async function expectAccessible(page: Page): Promise<void> {
  const found = new Map<string, string[]>();
  await forEachAppearance(page, async ({ theme, language }) => {
    // Scripts of the debugger are not subject to the policy of the page.
    await page.evaluate(AXE);
    const { violations } = await page.evaluate<AxeResults>(`axe.run(document, { runOnly: ${JSON.stringify(TAGS)} })`);
    for (const { id, help, nodes } of violations) {
      for (const { target, failureSummary = '' } of nodes) {
        const violation = `${id} (${help}): ${target.join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`;
        found.set(violation, [...(found.get(violation) ?? []), `${theme} ${language}`]);
      }
    }
  });
  expect([...found].map(([violation, appearances]) => `${violation} [${appearances.join(', ')}]`)).toEqual([]);
}
