import type { QuarryClient } from '@quarry/client';
import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { showAppearance } from './appearances.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { openDatastore } from './open-datastore.js';

async function addTexts(client: QuarryClient, datastoreId: string): Promise<void> {
  const documents = ['Drill', 'Saw'].map((name) => ({ name, text: `The warranty of the ${name} lasts two years.` }));
  const { ids } = await client.upsertDocuments(datastoreId, documents);
  for (const id of ids) await client.untilSettled(id);
}

/** Refuses the first sync of a page. */
async function refuseFirstSync(page: Page): Promise<void> {
  const problem = { title: 'Conflict', status: 409, code: 'run_under_way', detail: 'A run is in progress.' };
  const options = { status: 409, contentType: 'application/problem+json', body: JSON.stringify(problem) };
  await page.route('**/api/datasources/*/sync*', async (route) => route.fulfill(options), { times: 1 });
}

async function selectBoth(page: Page): Promise<void> {
  for (const name of ['Drill', 'Saw']) await page.getByLabel(`Select ${name}`).check();
}

/** Tests the short reports at the edge of the window. */
export function testToasts(running: () => ConsoleUnderTest): void {
  describe('the toasts', () => {
    it('follow the language, with their numbers and reasons', async () => {
      const { page } = await openDatastore(running(), { fill: addTexts, expectedError: /status of 409/ });
      await selectBoth(page);
      await refuseFirstSync(page);
      await page.getByRole('toolbar').getByRole('button', { name: 'Sync' }).click();
      const toast = page.getByRole('status').getByRole('listitem');
      await toast.getByText('Started 1 sync. 1 refused: A run is in progress.').waitFor();
      // The pointer keeps a toast on the screen.
      await toast.hover();
      await showAppearance(page, { theme: 'light', language: 'de' });
      await toast
        .getByText('1 Synchronisierung gestartet. 1 abgelehnt: Es läuft schon eine Synchronisierung.')
        .waitFor();
      await showAppearance(page, { theme: 'light', language: 'en' });
      await toast.getByText('Started 1 sync. 1 refused').waitFor();
    });
  });
}
