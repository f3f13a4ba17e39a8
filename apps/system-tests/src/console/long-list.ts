import type { QuarryClient } from '@quarry/client';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest, OpenedConsole } from './console-under-test.js';
import { insertDatasources } from './insert-datasources.js';

const COUNT = 100_000;
const MAX_ROWS = 60;
/** Number of API pages of the list that the test scrolls through. It exceeds `MAX_REFRESHED_PAGES`. */
const PAGES = 15;
const MAX_REFRESHED_PAGES = 10;
const DEADLINE_MS = 120_000;

/** Tests the list of a datastore with very many datasources. */
export function testLongList(running: () => ConsoleUnderTest): void {
  describe('a datastore of 100,000 datasources', () => {
    it(
      'a list of 100,000 datasources renders few rows, has filters, shows live events, and is never reloaded as a whole',
      async () => {
        const { page, client, longId } = await openLongAndShortDatastores(running());
        await printTimesToFirstRow(page);
        const list = page.getByRole('region', { name: 'Datasources' });
        await scrollThroughListPages(page, list);
        const requests = countListRequests(page);
        await scrollListTo(page, 0.5);
        await expect.poll(async () => list.getByText(/^Manual 98\d{3}\.pdf$/).count()).toBeGreaterThan(0);
        expect(await list.getByRole('listitem').count()).toBeLessThanOrEqual(MAX_ROWS);

        await simulateReturnToTab(page);
        await deleteOneRenderedRow(page, list);
        await scrollListTo(page, 0);
        await printTimeOfStatusChange(page, client, longId);
        expect(requests()).toBe(0);

        await page.getByLabel('Select all that are loaded').check();
        await page.getByText('There are more. Scroll down to load them.').waitFor();
        await auditScreenInEachAppearance(page, 'datasources-long-selected');
        await page.setViewportSize({ width: 900, height: 800 });
        const { x = 0, width = 0 } = (await list.boundingBox()) ?? {};
        expect(x + width).toBeLessThanOrEqual(900);
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.getByRole('button', { name: 'Clear selection' }).click();

        await page.getByLabel('Status').selectOption({ label: 'Failed' });
        await list.getByRole('link', { name: 'Manual 100000.pdf' }).waitFor();
        await page.getByLabel('Reason').selectOption('file_empty');
        await list.getByRole('link', { name: 'Manual 100000.pdf' }).waitFor({ state: 'detached' });
        expect(await list.getByRole('listitem').first().getAttribute('aria-setsize')).toBe('50');
        await auditScreenInEachAppearance(page, 'datasources-long');
        await page.getByLabel('Reason').selectOption('');
        await page.getByLabel('Status').selectOption('');
        await list.getByRole('link', { name: 'Written by the test' }).waitFor();
        expect(requests()).toBeLessThanOrEqual(3 + MAX_REFRESHED_PAGES);
      },
      DEADLINE_MS,
    );
  });
}

const SIZES = { Long: COUNT, Short: 10 };

/** Creates the datastores `Long` and `Short` with their datasources, and opens the list of datastores. */
async function openLongAndShortDatastores(
  running: ConsoleUnderTest,
): Promise<OpenedConsole & { readonly longId: string }> {
  const opened = await running.open('datastores');
  const ids: string[] = [];
  for (const [name, count] of Object.entries(SIZES)) {
    const { id: datastoreId } = await opened.client.createDatastore({ name });
    const organizationId = opened.organization.id;
    ids.push(datastoreId);
    await insertDatasources(running.dataDirectory, { organizationId, datastoreId, count });
  }
  await opened.page.reload();
  const [longId = ''] = ids;
  return { ...opened, longId };
}

/**
 * Opens the datastores `Short` and `Long` alternately, `Long` last. Prints for each datastore the shortest time from
 * the click on its link to the first painted row.
 */
async function printTimesToFirstRow(page: Page): Promise<void> {
  const times: Record<string, number[]> = { Short: [], Long: [] };
  for (const name of ['Short', 'Long', 'Short', 'Long', 'Short', 'Long']) {
    await page.locator('.sidebar-link', { hasText: 'Datastores' }).click();
    await page.getByRole('link', { name, exact: true }).waitFor();
    times[name]?.push(await page.evaluate<number>(buildFirstRowTimingScript(name)));
  }
  const [short = 0, long = 0] = Object.values(times).map((found) => Math.min(...found));
  console.log(
    `first rows of ${COUNT} datasources after ${Math.round(long)} ms, of 10 after ${Math.round(short)} ms: ${(long / short).toFixed(2)} times`,
  );
}

/**
 * Builds a script that clicks the link with this name, and resolves with the milliseconds until the first row is
 * painted.
 */
function buildFirstRowTimingScript(name: string): string {
  return `new Promise((resolve) => {
    const start = performance.now();
    new MutationObserver((_, observer) => {
      if (document.querySelector('.virtual-list-row') === null) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
    }).observe(document.body, { childList: true, subtree: true });
    [...document.querySelectorAll('a')].find(({ textContent }) => textContent === '${name}').click();
  })`;
}

/** Scrolls the list. @param part share of the height of the list, from 0 to 1 */
async function scrollListTo(page: Page, part: number): Promise<void> {
  await page.evaluate(`{
    const list = document.querySelector('.virtual-list');
    list.scrollTop = list.scrollHeight * ${part};
  }`);
}

/** Scrolls to the end of the loaded rows repeatedly, until the console has requested `PAGES` pages. */
async function scrollThroughListPages(page: Page, list: Locator): Promise<void> {
  await list.getByRole('listitem').first().waitFor();
  const requests = countListRequests(page);
  let rows = 0;
  await expect
    .poll(
      async () => {
        // Stops scrolling, because another scroll could request a page after the polling has ended.
        if (requests() >= PAGES) return requests();
        await scrollListTo(page, 1);
        rows = Math.max(rows, await list.getByRole('listitem').count());
        return requests();
      },
      { timeout: DEADLINE_MS },
    )
    .toBeGreaterThanOrEqual(PAGES);
  expect(rows).toBeLessThanOrEqual(MAX_ROWS);
}

/** Counts the requests for pages of the list of datasources from now on. @returns a function that returns the count */
function countListRequests(page: Page): () => number {
  let requests = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/api/datasources') && request.method() === 'GET') requests += 1;
  });
  return () => requests;
}

/** Advances the clock until the loaded rows are stale, and emits the event of a tab that becomes visible again. */
async function simulateReturnToTab(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.fastForward(60_000);
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
}

async function deleteOneRenderedRow(page: Page, list: Locator): Promise<void> {
  const row = list.getByRole('listitem').nth(10);
  const name = await row.getByRole('link').innerText();
  await row.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted 1 datasource.').waitFor();
  await list.getByRole('link', { name, exact: true }).waitFor({ state: 'detached' });
}

/** Adds a text, and prints the time from the status `synched` in the API to the status `Ready` on the screen. */
async function printTimeOfStatusChange(page: Page, client: QuarryClient, datastoreId: string): Promise<void> {
  const name = 'Written by the test';
  const { ids } = await client.upsertDocuments(datastoreId, [{ name, text: 'The warranty lasts two years.' }]);
  await page.getByRole('listitem').filter({ hasText: name }).getByText('Ready').waitFor();
  const shown = Date.now();
  const { updatedAt } = await client.getDatasource(ids[0] ?? '');
  console.log(`a changed status is on the screen after ${shown - Date.parse(updatedAt)} ms`);
}
