import type { QuarryClient } from '@quarry/client';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addTexts } from './add-texts.js';
import { showAppearance } from './appearances.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { openNewDatastore } from './open-new-datastore.js';

async function addDrillAndSaw(client: QuarryClient, datastoreId: string): Promise<void> {
  const documents = ['Drill', 'Saw'].map((name) => ({ name, text: `The warranty of the ${name} lasts two years.` }));
  await addTexts(client, datastoreId, documents);
}

/** Answers the first sync request of a page with status 409, as if a run of the datasource were in progress. */
async function refuseFirstSync(page: Page): Promise<void> {
  const problem = { title: 'Conflict', status: 409, code: 'run_under_way', detail: 'A run is in progress.' };
  const options = { status: 409, contentType: 'application/problem+json', body: JSON.stringify(problem) };
  await page.route('**/api/datasources/*/sync*', async (route) => route.fulfill(options), { times: 1 });
}

/**
 * Leaves the GET requests to an address without a response until the page is closed. Returns a function that returns
 * the number of these requests.
 */
async function holdGetRequests(page: Page, address: RegExp): Promise<() => number> {
  let count = 0;
  await page.route(address, async (route) => {
    if (route.request().method() === 'GET') count += 1;
    else await route.continue();
  });
  return () => count;
}

async function selectDrillAndSaw(page: Page): Promise<void> {
  for (const name of ['Drill', 'Saw']) await page.getByLabel(`Select ${name}`).check();
}

/** Tests the toasts, which are short messages at the edge of the window. */
export function testToasts(running: () => ConsoleUnderTest): void {
  describe('the toasts', () => {
    it('if a user changes the language, a visible toast is translated, including the numbers and reasons in its text', async () => {
      const { page } = await openNewDatastore(running(), { fill: addDrillAndSaw, expectedError: /status of 409/ });
      await selectDrillAndSaw(page);
      await refuseFirstSync(page);
      await page.getByRole('toolbar').getByRole('button', { name: 'Sync' }).click();
      const toast = page.getByRole('status').getByRole('listitem');
      await toast.getByText('Started 1 sync. 1 refused: A run is in progress.').waitFor();
      // A toast stays visible while the pointer is over it.
      await toast.hover();
      await showAppearance(page, { theme: 'light', language: 'de' });
      await toast
        .getByText('1 Synchronisierung gestartet. 1 abgelehnt: Es läuft schon eine Synchronisierung.')
        .waitFor();
      await showAppearance(page, { theme: 'light', language: 'en' });
      await toast.getByText('Started 1 sync. 1 refused').waitFor();
    });

    it('a toast reports a started sync while the list of runs is still being loaded again', async () => {
      const { page } = await openNewDatastore(running(), { fill: addDrillAndSaw });
      await page.getByRole('link', { name: 'Drill', exact: true }).click();
      await page.getByRole('tab', { name: 'Runs' }).click();
      await page.getByRole('region', { name: 'Runs' }).locator('.run').first().waitFor();
      const countRuns = await holdGetRequests(page, /\/api\/datasources\/[^/]+\/runs/);
      await page.getByRole('button', { name: 'Sync', exact: true }).click();
      await page.getByText('A sync was started.').waitFor();
      await expect.poll(countRuns, { timeout: 10_000 }).toBeGreaterThan(0);
    });

    it('after a toast, the button that syncs datasources is ready again before the list of datasources is loaded again', async () => {
      const { page } = await openNewDatastore(running(), { fill: addDrillAndSaw });
      await selectDrillAndSaw(page);
      const countLists = await holdGetRequests(page, /\/api\/datasources\?/);
      const sync = page.getByRole('toolbar').getByRole('button', { name: 'Sync' });
      await sync.click();
      await page.getByText('Started 2 syncs.').waitFor();
      await expect.poll(countLists, { timeout: 10_000 }).toBeGreaterThan(0);
      expect(await sync.getAttribute('aria-busy')).toBeNull();
    });
  });
}
