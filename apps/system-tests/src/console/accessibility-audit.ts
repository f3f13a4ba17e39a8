import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Appearance } from './appearances.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The axe tags of the audited rules: WCAG 2.2 levels A and AA, and axe's best practices. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Collects the accessibility violations that axe finds on one screen in several themes and languages. */
export class AccessibilityAudit {
  readonly #appearances = new Map<string, string[]>();

  async addViolations(page: Page, { theme, language }: Appearance): Promise<void> {
    // `page.evaluate` is not subject to the page's Content-Security-Policy, so axe can be injected.
    if (await page.evaluate<boolean>('!("axe" in window)')) await page.evaluate(AXE);
    const { violations } = await page.evaluate<AxeResults>(`axe.run(document, { runOnly: ${JSON.stringify(TAGS)} })`);
    for (const { id, help, nodes } of violations) {
      for (const { target, failureSummary = '' } of nodes) {
        const violation = `${id} (${help}): ${target.join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`;
        this.#appearances.set(violation, [...(this.#appearances.get(violation) ?? []), `${theme} ${language}`]);
      }
    }
  }

  expectNoViolation(): void {
    expect([...this.#appearances].map(([violation, found]) => `${violation} [${found.join(', ')}]`)).toEqual([]);
  }
}
