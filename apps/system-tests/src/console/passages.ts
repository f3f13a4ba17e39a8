import { makePdf, layOutInColumn } from '@quarry/document-readers/testing';
import type { QuarryClient } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';

const TABLE = '# Sales\n\n| Product | 2022 |\n|---|---|\n| Phone | 40,665 |\n| Mac | 7,382 |\n';

/** Adds a text with a table, and a PDF of three pages. */
async function addTableAndPdf(client: QuarryClient): Promise<void> {
  const { id } = await client.createDatastore({ name: 'Manuals' });
  const { ids } = await client.upsertDocuments(id, [{ name: 'Sales', text: TABLE }]);
  const lines = Array.from({ length: 40 }, (_, line) => `Part ${line} of the saw is mounted with a screw.`);
  const pdf = makePdf([1, 2, 3].map(() => layOutInColumn(lines, { top: 740, pitch: 15 })));
  const file = await client.uploadFile(id, new File([new Uint8Array(pdf)], 'saw.pdf'));
  for (const one of [...ids, file.id]) await client.untilSettled(one);
}

/** Tests the display of the passages of a document. */
export function testPassages(running: () => ConsoleUnderTest): void {
  describe('the passages of a document', () => {
    it('a document shows the tables in its passages as tables, and the toolbar above the passages has one line', async () => {
      const { page, client } = await running().open('', { prepare: addTableAndPdf });
      const { items } = await client.listDatasources();
      const openDocument = async (name: string): Promise<void> => {
        const id = items.find((one) => one.name === name)?.id ?? '';
        const [document] = (await client.listDocuments(id)).items;
        const path = `datasources/${id}/documents/${encodeURIComponent(document?.documentKey ?? '')}`;
        await page.goto(new URL(path, running().baseUrl).href);
        await page.getByRole('option').first().waitFor();
      };
      await openDocument('Sales');
      expect(await page.locator('.fragment-table td').allInnerTexts()).toEqual(['Phone', '40,665', 'Mac', '7,382']);
      expect(await page.getByRole('option').innerText()).not.toContain('---');
      await auditScreenInEachAppearance(page, 'document-table');
      await openDocument('saw.pdf');
      const title = await page.getByRole('heading', { name: /passages?$/ }).boundingBox();
      expect(title?.height).toBeLessThan(26);
      await page.getByText('Passage under the pointer').waitFor();
      await auditScreenInEachAppearance(page, 'document-legend');
    });
  });
}
