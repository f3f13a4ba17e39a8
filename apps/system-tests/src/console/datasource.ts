import type { Datasource, QuarryClient } from '@quarry/client';
import { makeProducts } from '@quarry/example-listing-server/products';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { addListing, chooseActionOfOpenDatasource, openNewDatasource, openNewListing } from './open-new-datasource.js';
import { startListingServer } from './start-listing-server.js';

const PRODUCTS = 20;

async function addBrokenFile(client: QuarryClient, datastoreId: string): Promise<Datasource> {
  const file = new File(['%PDF-1.4\nnot really'], 'broken.pdf', { type: 'application/pdf' });
  return client.untilSettled((await client.uploadFile(datastoreId, file)).id);
}

/**
 * Returns the text of a counter of the latest run, as the screen of the datasource shows it.
 *
 * @param name label of the counter, such as `Indexed`
 */
async function readRunCounter(page: Page, name: string): Promise<string> {
  const counter = page.locator('.counter').filter({ has: page.getByText(name, { exact: true }) });
  return counter.locator('dd').innerText();
}

/** Tests the screen of a datasource. */
export function testDatasource(running: () => ConsoleUnderTest): void {
  describe('the datasource screen', () => {
    it('the datasource screen shows the steps and counters of a run in progress without a reload', async () => {
      const listing = await startListingServer(PRODUCTS);
      listing.hold();
      const { page } = await openNewDatasource(running(), async (client, id) => addListing(client, id, listing));
      const timeline = page.getByRole('region', { name: 'Current run' });
      await timeline
        .locator('[aria-current=step]')
        .getByText(/Running|Fetching/)
        .waitFor();
      await page.getByRole('button', { name: 'Cancel run' }).waitFor();
      await page.evaluate('window.isFirstLoad = true');
      await auditScreenInEachAppearance(page, 'datasource-running');
      listing.release();
      await page.getByRole('region', { name: 'Last run' }).getByText('Ready').waitFor();
      expect(await readRunCounter(page, 'Indexed')).toBe(String(PRODUCTS));
      expect(await page.evaluate('window.isFirstLoad')).toBe(true);
      await auditScreenInEachAppearance(page, 'datasource');
    });

    it('a user cancels a run after a confirmation, and starts another run', async () => {
      const listing = await startListingServer(2);
      listing.hold();
      const { page, client, datasourceId } = await openNewDatasource(running(), async (tenant, id) =>
        addListing(tenant, id, listing),
      );
      const cancelButton = page.getByRole('button', { name: 'Cancel run' });
      const dialog = page.getByRole('dialog', { name: 'Cancel the run of “Shop”' });
      await cancelButton.click();
      await auditScreenInEachAppearance(page, 'datasource-cancel-run');
      await dialog.getByRole('button', { name: 'Keep running' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect((await client.getDatasource(datasourceId)).status).not.toBe('error');
      await cancelButton.click();
      await dialog.getByRole('button', { name: 'Cancel run' }).click();
      await page.getByText('The last run failed').waitFor();
      listing.release();
      await page.getByRole('button', { name: 'Sync', exact: true }).click();
      await page.getByRole('region', { name: 'Last run' }).getByText('Ready').waitFor();
      await page.getByRole('tab', { name: 'Runs' }).click();
      const runs = page.getByRole('region', { name: 'Runs' }).locator('.run');
      await expect.poll(async () => runs.count()).toBe(2);
      expect(await runs.first().innerText()).toContain('Ready');
      await auditScreenInEachAppearance(page, 'datasource-runs');
      expect((await client.listRuns(datasourceId)).items.map(({ status }) => status)).toEqual(['synched', 'error']);
    });

    it('the documents of a datasource are listed with the reasons of failures, and the filter by outcome survives a reload', async () => {
      const listing = await startListingServer(3);
      const [first, ...others] = makeProducts(3);
      listing.setItems([{ ...(first ?? { id: 'x', date_modified: '' }), title: '' }, ...others]);
      const { page } = await openNewListing(running(), listing);
      await page.getByRole('tab', { name: 'Documents' }).click();
      const rows = page.getByRole('region', { name: 'Documents' }).getByRole('listitem');
      await rows.first().waitFor();
      expect(await rows.count()).toBe(3);
      await auditScreenInEachAppearance(page, 'datasource-documents');
      await page.getByLabel('Outcome').selectOption({ label: 'Failed' });
      await expect.poll(async () => rows.count()).toBe(1);
      await rows.getByText('item_invalid').waitFor();
      await rows.getByText(/title/).first().waitFor();
      await page.reload();
      await rows.getByText('item_invalid').waitFor();
      expect(await rows.count()).toBe(1);
      await page.getByLabel('Outcome').selectOption({ label: 'Skipped' });
      await page.getByRole('heading', { name: 'No documents with this outcome' }).waitFor();
      await page.getByLabel('Outcome').selectOption({ label: 'Indexed' });
      await rows.getByRole('link').first().waitFor();
      await page.getByRole('tab', { name: 'Overview' }).click();
      await page.getByText('1×').waitFor();
    });

    it('a user changes the name and the schedule of a datasource, and the form marks a refused schedule', async () => {
      const listing = await startListingServer(2);
      const { page, client, datasourceId } = await openNewListing(running(), listing);
      await page.getByRole('tab', { name: 'Settings' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Catalogue');
      await page.getByLabel('Schedule', { exact: true }).selectOption({ label: 'Another schedule' });
      const field = page.getByRole('textbox', { name: 'Schedule' });
      await field.fill('now and then');
      await page.getByRole('button', { name: 'Save' }).click();
      await field.and(page.locator('[aria-invalid=true]')).waitFor();
      await auditScreenInEachAppearance(page, 'datasource-settings');
      await field.fill('every 6h');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The settings were saved.').waitFor();
      await page.getByRole('heading', { name: 'Catalogue', level: 1 }).waitFor();
      expect(await client.getDatasource(datasourceId)).toMatchObject({ name: 'Catalogue', schedule: 'every 6h' });
      await page.getByRole('tab', { name: 'Overview' }).click();
      await page.getByText('every 6h').waitFor();
      await client.updateDatasource(datasourceId, { config: { schedule: 'every 1d' } });
      await page.getByText('Every day').waitFor();
      await page.getByText('Next sync', { exact: true }).waitFor();
    });

    it('the settings of a listing keep another user’s change and the stored headers unless the user changes them', async () => {
      const listing = await startListingServer(2);
      const { page, client, datasourceId } = await openNewListing(running(), listing);
      await page.getByRole('tab', { name: 'Settings' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Catalogue');
      await page.getByRole('button', { name: 'Add a header' }).click();
      await client.updateDatasource(datasourceId, { config: { schedule: 'every 6h' } });
      await expect.poll(async () => page.getByLabel('Schedule', { exact: true }).inputValue()).not.toBe('default');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The settings were saved.').waitFor();
      expect(await page.getByLabel('Header', { exact: true }).count()).toBe(0);
      expect(await client.getDatasource(datasourceId)).toMatchObject({ name: 'Catalogue', schedule: 'every 6h' });
      await client.syncDatasource(datasourceId);
      expect((await client.untilSettled(datasourceId)).status).toBe('synched');
      await page.getByLabel('Remove the stored headers').check();
      await auditScreenInEachAppearance(page, 'datasource-settings-headers');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByLabel('Remove the stored headers').and(page.locator(':not(:checked)')).waitFor();
      await client.syncDatasource(datasourceId);
      expect((await client.untilSettled(datasourceId)).status).toBe('error');
    });

    it('the datasource screen explains why a run failed and what to do', async () => {
      const { page, client, datasourceId } = await openNewDatasource(running(), addBrokenFile);
      const notice = page.getByRole('alert').filter({ hasText: 'The last run failed' });
      await notice.getByText('The PDF is damaged').waitFor();
      await notice.getByText('Upload the file again.').waitFor();
      await auditScreenInEachAppearance(page, 'datasource-failed');
      await client.deleteDatasource(datasourceId);
      await page.getByRole('heading', { name: 'This datasource does not exist' }).waitFor();
      await auditScreenInEachAppearance(page, 'datasource-deleted');
    });

    it('if most items of a listing disappear, their documents stay until a user confirms the removal', async () => {
      const listing = await startListingServer(PRODUCTS);
      const { page, client, datasourceId } = await openNewListing(running(), listing);
      listing.setItems(makeProducts(PRODUCTS).slice(0, 8));
      await chooseActionOfOpenDatasource(page, 'Sync all items');
      const guard = page.getByRole('alert').filter({ hasText: '12 of 20 documents are missing' });
      await guard.getByText('more than 30%').waitFor();
      await guard.getByText('Report of the last run').click();
      await guard.getByText('The first: item:').waitFor();
      expect((await client.listDocuments(datasourceId)).items).toHaveLength(PRODUCTS);
      await auditScreenInEachAppearance(page, 'datasource-guard');
      await guard.getByRole('button', { name: 'Remove 12 documents' }).click();
      const dialog = page.getByRole('dialog', { name: 'Remove 12 documents' });
      const confirm = dialog.getByRole('button', { name: 'Remove 12 documents' });
      expect(await confirm.isDisabled()).toBe(true);
      await dialog.getByLabel('Type “12” to confirm').fill('12');
      await auditScreenInEachAppearance(page, 'datasource-guard-confirm');
      await confirm.click();
      await guard.waitFor({ state: 'detached' });
      await page.getByRole('region', { name: 'Last run' }).getByText('Ready').waitFor();
      await expect.poll(async () => readRunCounter(page, 'Removed')).toBe('12');
      expect((await client.listDocuments(datasourceId)).items).toHaveLength(8);
      const { run } = await client.getDatasource(datasourceId);
      expect(run?.removal).toEqual({ documents: 12, of: 20, threshold: 0.3, needsConfirmation: false });
    });

    it('the datasource screen explains an unknown id, and needs no horizontal scrolling in a narrow window', async () => {
      const { page } = await openNewDatasource(running(), addBrokenFile, { width: 360, height: 740 });
      await page.getByText('The last run failed').waitFor();
      await auditScreenInEachAppearance(page, 'datasource-narrow');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      for (const tab of ['Documents', 'Runs', 'Settings']) {
        await page.getByRole('tab', { name: tab }).click();
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      }
      await page.goto(new URL('datasources/01a20490-49cf-74dd-8f28-65d4cc2e9aea', running().baseUrl).href);
      await page.getByRole('heading', { name: 'This datasource does not exist' }).waitFor();
    });
  });
}
