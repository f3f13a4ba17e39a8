import type { QuarryClient } from '@quarry/client';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { askQuestion } from './support-agent.js';

const TITLE = `دليل الإجازات ${'والعمل عن بعد '.repeat(20)}`;
const SENTENCE = 'يحصل كل موظف على ثلاثين يوما من الإجازة السنوية.';
const LIST = `# دليل\n\n${SENTENCE}\n\n- الإجازة السنوية`;

async function addArabicAgent(client: QuarryClient): Promise<void> {
  const { id } = await client.createDatastore({ name: 'Policies' });
  const { ids } = await client.upsertDocuments(id, [{ name: TITLE, text: LIST }]);
  for (const one of ids) await client.untilSettled(one);
  await client.createAgent({ name: 'Support', datastoreIds: [id] });
}

interface Margins {
  readonly left: number;
  readonly right: number;
}

/** Returns the distances of the text in an element from the left and the right edge of the element, in pixels. */
async function measureMargins(page: Page, selector: string): Promise<Margins> {
  return page.evaluate(`(() => {
    const element = document.querySelector('${selector}');
    const range = document.createRange();
    range.selectNodeContents(element);
    const [text, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
    return { left: text.left - box.left, right: box.right - text.right };
  })()`);
}

/** Tests texts in right-to-left scripts, such as Arabic. */
export function testTextDirection(running: () => ConsoleUnderTest): void {
  describe('a text in a right-to-left script', () => {
    it('an Arabic answer, passage and question begin at the right edge', async () => {
      const { page, client } = await running().open('agents', { prepare: addArabicAgent });
      await page.getByRole('link', { name: 'Support' }).click();
      await askQuestion(page, 'كم يوما من الإجازة السنوية؟');
      await page.locator('.turn-answer .sources').waitFor();
      for (const selector of ['.turn-bubble', '.turn-answer .markdown > p']) {
        expect(await page.evaluate(`getComputedStyle(document.querySelector('${selector}')).direction`)).toBe('rtl');
      }
      await auditScreenInEachAppearance(page, 'chat-arabic');
      const [datasource] = (await client.listDatasources()).items;
      const [document] = (await client.listDocuments(datasource?.id ?? '')).items;
      const key = encodeURIComponent(document?.documentKey ?? '');
      await page.goto(new URL(`datasources/${datasource?.id ?? ''}/documents/${key}`, running().baseUrl).href);
      await page.getByRole('option').first().waitFor();
      await auditScreenInEachAppearance(page, 'document-arabic');
      const { left, right } = await measureMargins(page, '.fragment-text');
      expect(right).toBeLessThan(left + 1);
    });

    it('a long Arabic name is cut off at its end, which is the left edge', async () => {
      const { page } = await running().open('agents', { prepare: addArabicAgent, width: 900 });
      await page.getByRole('link', { name: 'Datastores' }).click();
      await page.getByRole('link', { name: 'Policies' }).click();
      await page.getByRole('link', { name: 'دليل الإجازات' }).waitFor();
      await auditScreenInEachAppearance(page, 'datasources-arabic');
      const { left, right } = await measureMargins(page, 'main a.truncate');
      expect(right).toBeGreaterThan(-1);
      expect(left).toBeLessThan(1);
    });
  });
}
