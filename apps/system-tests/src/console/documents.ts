import { decodePng, makePdf, placeInColumn, type DecodedPng } from '@quarry/document-readers/testing';
import { describe, expect, it } from 'vitest';
import type { QuarryClient } from '@quarry/client';
import type { ConsoleUnderTest } from './console-under-test.js';
import { countDarkPixels } from './count-dark-pixels.js';
import { expectAccessible } from './expect-accessible.js';
import { takePicture } from './take-picture.js';

/** A short document with a single fragment, so that all of its text is the marked passage. */
const PDF = makePdf([
  placeInColumn(['The warranty of the drill', 'lasts two years.']),
  placeInColumn(['It covers the motor and the battery.'], { top: 400 }),
]);

async function uploadManual(client: QuarryClient): Promise<void> {
  const { id } = await client.createDatastore({ name: 'Manuals' });
  const file = new File([Uint8Array.from(PDF)], 'manual.pdf', { type: 'application/pdf' });
  await client.untilSettled((await client.uploadFile(id, file)).id);
}

async function loadPicture(client: QuarryClient, pageNumber: number): Promise<DecodedPng> {
  const [manual] = (await client.listDatasources()).items;
  const response = await client.getPagePicture(manual?.id ?? '', pageNumber, { width: 800 });
  return decodePng(new Uint8Array(await response.arrayBuffer()));
}

/** Tests the playground and the pages of documents. */
export function testDocuments(running: () => ConsoleUnderTest): void {
  describe('the playground', () => {
    it('explains a query, and opens the pages of a result with the passage marked', async () => {
      const { page, client } = await running().open('playground', { prepare: uploadManual });
      await page.getByRole('textbox').first().fill('How long does the warranty last?');
      await page.getByRole('button', { name: 'Run' }).click();
      const result = page.getByRole('link', { name: 'manual.pdf' }).first();
      await result.waitFor();
      await page.getByText('Lexical').first().waitFor();
      await expectAccessible(page);
      await takePicture(page, 'playground');
      await result.click();
      for (const pageNumber of [1, 2]) {
        const picture = page.getByRole('img', { name: `Picture of page ${String(pageNumber)}` });
        await picture.waitFor();
        await expect.poll(async () => ((await picture.boundingBox())?.height ?? 0) > 300).toBe(true);
        const { marked, others } = await countDarkPixels(page, await loadPicture(client, pageNumber));
        expect(marked).toBeGreaterThan(100);
        expect(others).toBe(0);
        if (pageNumber === 1) await page.locator('body').press('n');
      }
      await expectAccessible(page);
      await takePicture(page, 'document');
    });
  });
}
