import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodePng, makePdf, layOutInColumn } from '@quarry/document-readers/testing';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { countDarkPixels } from './count-dark-pixels.js';

const LINES_PER_PAGE = 44;
const ANSWER_LINE = 30;
const PITCH = 15;
const TOP = 740;
const PAGE_HEIGHT = 792;

/** PDF of a manual with several passages on each page. Line `ANSWER_LINE` of the second page answers `QUESTION`. */
const MANUAL = makePdf(
  [1, 2, 3].map((page) =>
    layOutInColumn(
      Array.from({ length: LINES_PER_PAGE }, (_, line) =>
        page === 2 && line === ANSWER_LINE
          ? 'The warranty of the espresso machine lasts seven years.'
          : `Part ${page * 100 + line} of the saw is mounted with the screw of tray ${line} and turned by hand.`,
      ),
      { top: TOP, pitch: PITCH },
    ),
  ),
);

/**
 * Distance from the bottom of the page to the baseline of the line that answers `QUESTION`, in points. The letters of
 * the line extend from 3 points below to 9 points above the baseline.
 */
const ANSWER_BASELINE = TOP - ANSWER_LINE * PITCH;
const ANSWER_BAND = {
  top: (PAGE_HEIGHT - ANSWER_BASELINE - 9) / PAGE_HEIGHT,
  bottom: (PAGE_HEIGHT - ANSWER_BASELINE + 3) / PAGE_HEIGHT,
};
const QUESTION = 'How long does the warranty of the espresso machine last?';

async function writeManualFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-first-run-'));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'espresso.pdf');
  await writeFile(path, MANUAL);
  return path;
}

/** Drops a file on the page, as a user does from the system's file manager. */
async function dropFile(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 700, y: 300, data });
  }
}

async function askQuestion(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Question' }).fill(question);
  await page.keyboard.press('Enter');
}

/** Serves one page on this machine until the end of the test. @returns the address of the page */
async function serveWebPage(html: string): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/' ? 200 : 404, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // a TCP server has this form of address
}

/** Tests the first use of the console, from an empty organization to the first answer. */
export function testFirstRun(running: () => ConsoleUnderTest): void {
  describe('the first run', () => {
    it('a user drops a file on the first steps screen, gets an answer without a model, and opens the citation with marked words', async () => {
      const { page, client } = await running().open('');
      await page.getByRole('heading', { name: 'First steps', level: 1 }).waitFor();
      await auditScreenInEachAppearance(page, 'first-run');
      await dropFile(page, await writeManualFile());
      await page.getByRole('link', { name: 'espresso.pdf' }).waitFor();
      await askQuestion(page, QUESTION);
      const answer = page.getByRole('region', { name: 'Answer' });
      await answer.getByText('lasts seven years').first().waitFor();
      await page.getByText('No language model is configured.').waitFor();
      await auditScreenInEachAppearance(page, 'first-run-answer');
      const source = answer
        .getByRole('list', { name: 'Sources' })
        .getByRole('listitem')
        .filter({ hasText: 'seven years' });
      await source.first().getByRole('link').click();

      const picture = page.getByRole('img', { name: 'Picture of page 2' });
      await picture.waitFor();
      await expect.poll(async () => ((await picture.boundingBox())?.height ?? 0) > 300).toBe(true);
      const [manual] = (await client.listDatasources()).items;
      const response = await client.getPagePicture(manual?.id ?? '', 2, { width: 800 });
      const png = decodePng(new Uint8Array(await response.arrayBuffer()));
      const words = await countDarkPixels(page, png, ANSWER_BAND);
      expect(words.marked).toBeGreaterThan(100);
      expect(words.others).toBe(0);
      expect((await countDarkPixels(page, png)).others).toBeGreaterThan(1_000);
      await auditScreenInEachAppearance(page, 'first-run-citation');
    });

    it('the first steps screen explains why a dropped file was refused, and adds the file when the user drops it again', async () => {
      const { page } = await running().open('start', { expectedError: /status of 403/ });
      const problem = { title: 'Forbidden', status: 403, code: 'forbidden', detail: 'The key has no scope manage.' };
      const refusal = { status: 403, contentType: 'application/problem+json', body: JSON.stringify(problem) };
      await page.getByRole('heading', { name: 'First steps', level: 1 }).waitFor();
      await page.route('**/api/datastores', async (route) => route.fulfill(refusal), { times: 1 });
      const manual = await writeManualFile();
      await dropFile(page, manual);
      const notice = page.getByRole('alert').filter({ hasText: 'The key has no scope manage.' });
      await notice.waitFor();
      await dropFile(page, manual);
      await page.getByRole('link', { name: 'espresso.pdf' }).waitFor();
      expect(await notice.count()).toBe(0);
    });

    it('a user pastes a text on the first steps screen, and gets an answer from the text', async () => {
      const { page, client } = await running().open('start');
      await page.getByRole('tab', { name: 'Text' }).click();
      await page
        .getByLabel('Paste a text')
        .fill('Opening hours\n\nThe workshop in Graz is open on Saturdays until noon.');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('link', { name: 'Opening hours' }).waitFor();
      await askQuestion(page, 'When is the workshop in Graz open?');
      const answer = page.getByRole('region', { name: 'Answer' });
      await answer
        .getByRole('list', { name: 'Sources' })
        .getByRole('link', { name: /Opening hours/ })
        .click();
      await page.getByRole('option', { name: /open on Saturdays/, selected: true }).waitFor();
      expect((await client.listDatastores()).items).toMatchObject([{ name: 'My documents' }]);
    });

    it('a user enters the address of a web page on the first steps screen, and gets an answer from the page', async () => {
      const address = await serveWebPage('<title>Opening hours</title><p>The forge in Linz is open on Mondays.</p>');
      const { page } = await running().open('start');
      await page.getByRole('tab', { name: 'Web page' }).click();
      await page.getByLabel('Address of a web page').fill(address);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await askQuestion(page, 'When is the forge in Linz open?');
      const answer = page.getByRole('region', { name: 'Answer' });
      await answer.getByText('open on Mondays').first().waitFor();
      await answer.getByRole('list', { name: 'Sources' }).getByRole('link').first().waitFor();
    });
  });
}
