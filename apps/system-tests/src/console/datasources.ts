import type { QuarryClient } from '@quarry/client';
import type { Locator, Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addTexts } from './add-texts.js';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { openNewDatastore } from './open-new-datastore.js';
import { buildListingConfig, startListingServer, type TestListing } from './start-listing-server.js';

/** Adds texts with the names `Manual 1`, `Manual 2` and so on. @returns the ids of their datasources */
async function addManuals(client: QuarryClient, datastoreId: string, count: number): Promise<readonly string[]> {
  const documents = Array.from({ length: count }, (_, at) => ({
    name: `Manual ${at + 1}`,
    text: `Manual ${at + 1} explains the drill with the number ${at + 1}.`,
  }));
  return addTexts(client, datastoreId, documents);
}

/**
 * Adds a text, an unreadable PDF file and a listing to a datastore, and waits until their runs have ended. Only the run
 * of the text succeeds, because the server of the listing refuses the API key.
 */
async function addMixedDatasources(client: QuarryClient, datastoreId: string, listing: TestListing): Promise<void> {
  await addManuals(client, datastoreId, 1);
  const broken = new File(['%PDF-1.4\nnot really'], 'broken.pdf', { type: 'application/pdf' });
  await client.untilSettled((await client.uploadFile(datastoreId, broken)).id);
  const config = buildListingConfig(listing, 'a-wrong-key');
  const { id } = await client.createDatasource({ type: 'item_listing', datastoreId, name: 'Shop', config });
  await client.untilSettled(id);
}

function findDatasourceRow(page: Page, name: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
}

async function countDatasourceRows(page: Page): Promise<number> {
  return page.getByRole('region', { name: 'Datasources' }).getByRole('listitem').count();
}

async function chooseDatasourceAction(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/**
 * Delays the first `count` requests of a page that delete a datasource, until `breakConnections` aborts them. Further
 * requests reach the API.
 */
async function delayDeletions(page: Page, count: number): Promise<{ readonly breakConnections: () => Promise<void> }> {
  const routes: Route[] = [];
  await page.route('**/api/datasources/*', async (route) => {
    if (route.request().method() === 'DELETE' && routes.length < count) routes.push(route);
    else await route.continue();
  });
  return {
    breakConnections: async () => {
      await Promise.all(routes.map(async (route) => route.abort('connectionreset')));
    },
  };
}

/** Tests the screen that lists the datasources of a datastore. */
export function testDatasources(running: () => ConsoleUnderTest): void {
  describe('the datasources screen', () => {
    it('the datasources screen explains what to do when a datastore is empty', async () => {
      const { page } = await openNewDatastore(running());
      await page.getByRole('heading', { name: 'This datastore is empty' }).waitFor();
      await auditScreenInEachAppearance(page, 'datasources-empty');
      await page.getByRole('button', { name: 'Add content' }).click();
      await page.getByRole('heading', { name: 'Add content', level: 1 }).waitFor();
    });

    it('a user filters the list of datasources by status, reason and name, and the filters by status and reason survive a reload', async () => {
      const listing = await startListingServer(3);
      const { page } = await openNewDatastore(running(), {
        fill: async (client, id) => addMixedDatasources(client, id, listing),
      });
      await findDatasourceRow(page, 'Shop').getByText('Failed').waitFor();
      await findDatasourceRow(page, 'Manual 1').getByText('Ready').waitFor();
      expect(await countDatasourceRows(page)).toBe(3);
      await auditScreenInEachAppearance(page, 'datasources');
      await page.getByLabel('Status').selectOption({ label: 'Failed' });
      await findDatasourceRow(page, 'Manual 1').waitFor({ state: 'detached' });
      await page.getByLabel('Reason').selectOption('listing_unauthorized');
      await findDatasourceRow(page, 'broken.pdf').waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe('?status=error&reason=listing_unauthorized');
      await page.reload();
      await findDatasourceRow(page, 'Shop').getByText('Failed').waitFor();
      expect(await countDatasourceRows(page)).toBe(1);
      expect(await page.getByLabel('Reason').inputValue()).toBe('listing_unauthorized');
      await page.getByLabel('Search by name').fill('Manual');
      await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
      await auditScreenInEachAppearance(page, 'datasources-none');
      await page.getByRole('button', { name: 'Clear the filters' }).click();
      await findDatasourceRow(page, 'Manual 1').waitFor();
      expect(await countDatasourceRows(page)).toBe(3);
      expect(new URL(page.url()).search).toBe('');
      expect(await page.getByLabel('Search by name').inputValue()).toBe('');
    });

    it('the list of datasources shows the place in the queue, and cancelled and ended runs, without a reload', async () => {
      const listing = await startListingServer(3);
      listing.hold();
      const { page, client, datastoreId } = await openNewDatastore(running());
      await page.getByRole('heading', { name: 'This datastore is empty' }).waitFor();
      await page.evaluate('window.isFirstLoad = true');
      const names = Array.from({ length: 8 }, (_, at) => `Shop ${at + 1}`);
      for (const name of names) {
        await client.createDatasource({ type: 'item_listing', datastoreId, name, config: buildListingConfig(listing) });
      }
      await findDatasourceRow(page, 'Shop 1').getByText('Running').waitFor();
      await findDatasourceRow(page, 'Shop 8').getByText('Waiting').waitFor();
      await findDatasourceRow(page, 'Shop 8')
        .getByText(/[1-9] before it/)
        .waitFor();
      await auditScreenInEachAppearance(page, 'datasources-live');
      for (const name of ['Shop 7', 'Shop 8']) await page.getByLabel(`Select ${name}`).check();
      await page.getByRole('toolbar').getByRole('button', { name: 'Cancel run' }).click();
      const both = page.getByRole('dialog', { name: 'Cancel 2 runs' });
      await both.getByRole('button', { name: 'Keep running' }).click();
      await both.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Clear selection' }).click();
      await chooseDatasourceAction(page, 'Shop 1', 'Cancel run');
      const dialog = page.getByRole('dialog', { name: 'Cancel the run of “Shop 1”' });
      await dialog.getByRole('button', { name: 'Cancel run' }).click();
      await dialog.waitFor({ state: 'detached' });
      await findDatasourceRow(page, 'Shop 1').getByText('Failed').waitFor();
      listing.release();
      for (const name of names.slice(1)) await findDatasourceRow(page, name).getByText('Ready').waitFor();
      expect(await findDatasourceRow(page, 'Shop 8').innerText()).toMatch(/\b3\b/);
      expect(await page.evaluate('window.isFirstLoad')).toBe(true);
    });

    it('a user syncs a single datasource, and several selected datasources', async () => {
      const { page, client, datastoreId } = await openNewDatastore(running(), {
        fill: async (tenant, id) => addManuals(tenant, id, 3),
      });
      const search = page.getByRole('link', { name: 'Search in it' });
      expect(await search.getAttribute('href')).toContain(datastoreId);
      await chooseDatasourceAction(page, 'Manual 1', 'Sync');
      await page.getByText('Started 1 sync.').waitFor();
      for (const name of ['Manual 1', 'Manual 2']) await page.getByLabel(`Select ${name}`).check();
      await page.getByRole('toolbar', { name: '2 selected' }).waitFor();
      await auditScreenInEachAppearance(page, 'datasources-selected');
      await page.getByRole('toolbar').getByRole('button', { name: 'Sync' }).click();
      await page.getByText('Started 2 syncs.').waitFor();
      const { items } = await client.listDatasources({ datastoreId });
      const runs = await Promise.all(items.map(async ({ id }) => (await client.listRuns(id)).items.length));
      expect(runs.toSorted()).toEqual([1, 2, 3]);
    });

    it('a user deletes one datasource after a confirmation, and eleven datasources only after typing their number', async () => {
      const { page, client, datastoreId } = await openNewDatastore(running(), {
        fill: async (tenant, id) => addManuals(tenant, id, 12),
      });
      await chooseDatasourceAction(page, 'Manual 1', 'Delete');
      const one = page.getByRole('dialog', { name: 'Delete “Manual 1”' });
      await one.getByRole('button', { name: 'Cancel' }).click();
      expect((await client.listDatasources({ datastoreId })).items).toHaveLength(12);
      await chooseDatasourceAction(page, 'Manual 1', 'Delete');
      await one.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('Deleted 1 datasource.').waitFor();
      await findDatasourceRow(page, 'Manual 1').waitFor({ state: 'detached' });
      await page.getByLabel('Select Manual 12').focus();
      await page.keyboard.press('Space');
      await page.getByLabel('Select Manual 2').focus();
      await page.keyboard.press('Shift+Space');
      await page.getByRole('toolbar', { name: '11 selected' }).getByRole('button', { name: 'Delete' }).click();
      const many = page.getByRole('dialog', { name: 'Delete 11 datasources' });
      const confirm = many.getByRole('button', { name: 'Delete 11 datasources' });
      expect(await confirm.isDisabled()).toBe(true);
      await many.getByText('and 6 more').waitFor();
      await many.getByLabel('Type “11” to confirm').fill('11');
      await auditScreenInEachAppearance(page, 'datasources-delete');
      await confirm.click();
      await page.getByRole('heading', { name: 'This datastore is empty' }).waitFor();
      expect((await client.listDatasources({ datastoreId })).items).toEqual([]);
    });

    it('the datasources screen shows the progress of a deletion, and lists failed deletions until a retry succeeds', async () => {
      const { page, client, datastoreId } = await openNewDatastore(running(), {
        fill: async (tenant, id) => addManuals(tenant, id, 6),
      });
      const deletions = await delayDeletions(page, 2);
      await page.getByLabel('Select Manual 6').check();
      await page.getByLabel('Select Manual 2').click({ modifiers: ['Shift'] });
      await page.getByRole('toolbar', { name: '5 selected' }).getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete 5 datasources' }).click();
      await page.getByText('3 of 5 done').waitFor();
      await auditScreenInEachAppearance(page, 'datasources-deleting');
      await deletions.breakConnections();
      const failed = page.getByRole('dialog', { name: '2 datasources were not deleted' });
      await failed.waitFor();
      expect(await failed.getByText('Quarry cannot be reached').count()).toBe(2);
      await page.getByText('Deleted 3 datasources.').waitFor();
      await auditScreenInEachAppearance(page, 'datasources-not-deleted');
      await failed.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('Deleted 2 datasources.').waitFor();
      await failed.waitFor({ state: 'detached' });
      expect((await client.listDatasources({ datastoreId })).items.map(({ name }) => name)).toEqual(['Manual 1']);
    });

    it('the list of datasources loads further pages while the user scrolls, and renders fewer than 60 rows', async () => {
      const { page } = await openNewDatastore(running(), {
        fill: async (client, id) => {
          const documents = Array.from({ length: 230 }, (_, at) => ({
            name: `Note ${at + 1}`,
            text: `Note ${at + 1}.`,
          }));
          for (let at = 0; at < documents.length; at += 50)
            await client.upsertDocuments(id, documents.slice(at, at + 50));
        },
      });
      const list = page.getByRole('region', { name: 'Datasources' });
      await list.getByRole('listitem').first().waitFor();
      await expect
        .poll(
          async () => {
            await list.press('End');
            return findDatasourceRow(page, 'Note 1').count();
          },
          { timeout: 15_000 },
        )
        .toBe(1);
      expect(await countDatasourceRows(page)).toBeLessThan(60);
      await page.getByLabel('Order').selectOption({ label: 'Oldest first' });
      await expect.poll(async () => list.getByRole('listitem').first().innerText()).toMatch(/^Note 1$/m);
      expect(new URL(page.url()).search).toBe('?order=asc');
      await auditScreenInEachAppearance(page, 'datasources-oldest-first');
    });

    it('the datasources screen needs no horizontal scrolling in a narrow window', async () => {
      const listing = await startListingServer(3);
      const fill = async (client: QuarryClient, id: string): Promise<void> => addMixedDatasources(client, id, listing);
      const { page } = await openNewDatastore(running(), { fill, width: 360, height: 740 });
      await findDatasourceRow(page, 'Shop').waitFor();
      await auditScreenInEachAppearance(page, 'datasources-narrow');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    });
  });
}
