import { decodePng, makePdf, layOutInColumn, type DecodedPng } from '@quarry/document-readers/testing';
import type { QuarryClient } from '@quarry/client';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { countDarkPixels } from './count-dark-pixels.js';
import { openNewListing } from './open-new-datasource.js';
import { startListingServer } from './start-listing-server.js';

/** PDF with so little text that it becomes one fragment. The passage that the screen marks is then the whole text. */
const PDF = makePdf([
  layOutInColumn(['The warranty of the drill', 'lasts two years.']),
  layOutInColumn(['It covers the motor and the battery.'], { top: 400 }),
]);

async function uploadManual(client: QuarryClient): Promise<void> {
  const { id } = await client.createDatastore({ name: 'Manuals' });
  const file = new File([Uint8Array.from(PDF)], 'manual.pdf', { type: 'application/pdf' });
  await client.untilSettled((await client.uploadFile(id, file)).id);
}

/** Uploads a text with more fragments than one API response contains. */
async function uploadLongText(client: QuarryClient): Promise<void> {
  const { id } = await client.createDatastore({ name: 'Manuals' });
  const lines = Array.from(
    { length: 4_000 },
    (_, at) => `Part ${at + 1} of the drill is replaced after ${at + 100} hours.`,
  );
  const file = new File([lines.join('\n\n')], 'parts.txt', { type: 'text/plain' });
  await client.untilSettled((await client.uploadFile(id, file)).id);
}

/** Returns the relative address of the screen that shows the only document of the first datasource. */
async function findDocumentPath(client: QuarryClient): Promise<string> {
  const [datasource] = (await client.listDatasources()).items;
  const [document] = (await client.listDocuments(datasource?.id ?? '')).items;
  return `datasources/${datasource?.id ?? ''}/documents/${encodeURIComponent(document?.documentKey ?? '')}`;
}

/**
 * Changes the API's responses as if OCR had read two pages of the document with different confidences, and could not
 * read a third page.
 */
async function simulatePageConfidences(page: Page): Promise<void> {
  const confidences = [
    { page: 1, confidence: 93 },
    { page: 2, confidence: 61 },
  ];
  await page.route(/\/api\/datasources\/[^/]+\/documents\?/, async (route) => {
    const response = await route.fetch();
    const { items, ...rest } = (await response.json()) as Awaited<ReturnType<QuarryClient['listDocuments']>>; // as documented
    const recognized = items.map((item) => ({
      ...item,
      pages: { ...item.pages, total: 3, recognized: 2, images: 1, confidences },
    }));
    await route.fulfill({ response, json: { items: recognized, ...rest } });
  });
}

async function fetchPagePicture(client: QuarryClient, pageNumber: number): Promise<DecodedPng> {
  const [manual] = (await client.listDatasources()).items;
  const response = await client.getPagePicture(manual?.id ?? '', pageNumber, { width: 800 });
  return decodePng(new Uint8Array(await response.arrayBuffer()));
}

/** Tests the playground and the pages of documents. */
export function testDocuments(running: () => ConsoleUnderTest): void {
  describe('the playground', () => {
    it('the playground explains a query, and a result opens its document with the passage marked on the page', async () => {
      const { page, client } = await running().open('playground', { prepare: uploadManual });
      await page.getByRole('textbox').first().fill('How long does the warranty last?');
      await page.getByRole('button', { name: 'Run' }).click();
      const result = page.getByRole('link', { name: 'manual.pdf' }).first();
      await result.waitFor();
      await page.getByText('Lexical').first().waitFor();
      await auditScreenInEachAppearance(page, 'playground');
      await result.click();
      for (const pageNumber of [1, 2]) {
        const picture = page.getByRole('img', { name: `Picture of page ${String(pageNumber)}` });
        await picture.waitFor();
        await expect.poll(async () => ((await picture.boundingBox())?.height ?? 0) > 300).toBe(true);
        const { marked, others } = await countDarkPixels(page, await fetchPagePicture(client, pageNumber));
        expect(marked).toBeGreaterThan(100);
        expect(others).toBe(0);
        if (pageNumber === 1) await page.locator('body').press('n');
      }
      await auditScreenInEachAppearance(page, 'document');
    });
  });

  describe('a document with recognized text', () => {
    it('a document shows the OCR confidence of the open page, and lists the pages with a low confidence', async () => {
      const { page, client } = await running().open('', { prepare: uploadManual });
      await simulatePageConfidences(page);
      await page.goto(new URL(await findDocumentPath(client), running().baseUrl).href);
      const confidence = page.getByRole('group', { name: 'Recognized text' });
      await confidence.getByText('Recognized text, 93% confidence').waitFor();
      expect(await confidence.getByText('Compare it with the page.').count()).toBe(0);
      await auditScreenInEachAppearance(page, 'document-recognized');
      await confidence.getByRole('button', { name: 'p. 2 (61%)' }).click();
      await confidence.getByText('Recognized text, 61% confidence').waitFor();
      await confidence.getByText('Compare it with the page.').waitFor();
      await confidence.getByText('No readable text on 1 of 3 pages.').waitFor();
      await page.getByRole('option').getByText('pp. 1–2').waitFor();
      await page.setViewportSize({ width: 390, height: 800 });
      await auditScreenInEachAppearance(page, 'document-recognized-narrow');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    });
  });

  describe('the document screen', () => {
    it('the document screen names an item of a listing by the title of the item', async () => {
      const { page } = await openNewListing(running(), await startListingServer(2));
      await page.getByRole('tab', { name: 'Documents' }).click();
      const link = page.getByRole('region', { name: 'Documents' }).getByRole('link').first();
      const name = await link.innerText();
      await link.click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await page.waitForURL(/\/documents\/item/);
    });

    it('the document screen has no empty strip below a page that is smaller than the window', async () => {
      const { page, client } = await running().open('', { prepare: uploadManual, width: 390, height: 1_300 });
      await page.goto(new URL(await findDocumentPath(client), running().baseUrl).href);
      const picture = page.getByRole('img', { name: 'Picture of page 1' });
      await picture.waitFor();
      await expect.poll(async () => ((await picture.boundingBox())?.height ?? 0) > 300).toBe(true);
      await auditScreenInEachAppearance(page, 'document-narrow');
      const [frame, sheet] = await Promise.all(
        [page.locator('.page-frame'), picture].map(async (part) => part.boundingBox()),
      );
      const strip = (frame?.y ?? 0) + (frame?.height ?? 0) - (sheet?.y ?? 0) - (sheet?.height ?? 0);
      // The frame has a padding of 16 pixels.
      expect(strip).toBeLessThanOrEqual(16);
    });

    it('the address of a document that does not exist shows this, and a link to the datasource or to all datastores', async () => {
      const { page, client } = await running().open('datastores', {
        prepare: uploadManual,
        expectedError: /status of 404/,
      });
      const [datasource] = (await client.listDatasources()).items;
      await page.goto(new URL(`datasources/${datasource?.id ?? ''}/documents/none`, running().baseUrl).href);
      const heading = page.getByRole('heading', { name: 'This document does not exist' });
      await heading.waitFor();
      expect(await page.getByRole('link', { name: /Original|Search in it/ }).count()).toBe(0);
      await auditScreenInEachAppearance(page, 'document-missing');
      await page.getByRole('link', { name: 'Open the datasource' }).click();
      await page.getByRole('heading', { name: 'manual.pdf', level: 1 }).waitFor();
      await page.goto(new URL('datasources/none/documents/none', running().baseUrl).href);
      await heading.waitFor();
      await page.locator('main').getByRole('link', { name: 'Show all datastores' }).click();
      await page.waitForURL('**/datastores');
    });
  });

  describe('a long document', () => {
    it('a long document renders few of its fragments at once, and the arrow keys, Home and End reach all fragments', async () => {
      const { page, client } = await running().open('', { prepare: uploadLongText });
      const [text] = (await client.listDatasources()).items;
      const { items } = await client.listDocuments(text?.id ?? '');
      await page.goto(new URL(await findDocumentPath(client), running().baseUrl).href);
      const list = page.getByRole('listbox');
      const options = list.getByRole('option');
      await options.first().focus();
      const focused = list.locator('[aria-selected=true]:focus');
      for (const place of ['1', '2', '3']) {
        await page.keyboard.press('ArrowDown');
        await expect.poll(async () => focused.getAttribute('aria-posinset')).toBe(place);
      }
      await auditScreenInEachAppearance(page, 'document-long');
      // The key End focuses the last loaded fragment, and the list then loads the next fragments.
      await expect
        .poll(async () => {
          await page.keyboard.press('End');
          return focused.getAttribute('aria-posinset');
        })
        .toBe(String(items[0]?.fragments));
      expect(await options.count()).toBeLessThanOrEqual(60);
      expect(await focused.isVisible()).toBe(true);
      await auditScreenInEachAppearance(page, 'document-long-end');
      await page.keyboard.press('Home');
      await expect.poll(async () => focused.getAttribute('aria-posinset')).toBe('1');
    });
  });
}
