import { makeProducts } from '@quarry/example-listing-server/products';
import { describe, expect, it } from 'vitest';
import { auditScreenInEachAppearance } from './audit-screen-in-each-appearance.js';
import type { ConsoleUnderTest } from './console-under-test.js';
import { openUploadScreen } from './open-upload-screen.js';
import { buildListingConfig, LISTING_KEY, startListingServer } from './start-listing-server.js';

/** Tests the forms for texts, web pages, sites and listings on the screen that adds content. */
export function testAddedContent(running: () => ConsoleUnderTest): void {
  describe('the forms that add content', () => {
    it('a user adds a text, and the console opens the new datasource', async () => {
      const { page, client, datastoreId } = await openUploadScreen(running());
      await page.getByRole('tab', { name: 'Text' }).click();
      expect(new URL(page.url()).search).toBe('?kind=text');
      await page.getByLabel('Name').fill('Warranty');
      await page.getByRole('textbox', { name: 'Text', exact: true }).fill('The warranty of the drill lasts two years.');
      await page.getByLabel('Address of the source').fill('https://shop.example/warranty');
      await auditScreenInEachAppearance(page, 'upload-text');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('heading', { name: 'Warranty', level: 1 }).waitFor();
      expect((await client.listDatasources({ datastoreId })).items).toMatchObject([
        { name: 'Warranty', type: 'document' },
      ]);
    });

    it('a user adds a web site, and the form for web pages marks the field that contains an invalid address', async () => {
      const start = new URL('/', (await startListingServer(1)).url).href;
      const { page, client, datastoreId } = await openUploadScreen(running());
      await page.getByRole('tab', { name: 'Web page' }).click();
      await page.getByLabel('Address').fill('ftp://shop.example/');
      await page.getByLabel('Sync again').selectOption({ label: 'Another schedule' });
      await page.getByLabel('Schedule', { exact: true }).fill('every now and then');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByLabel('Address').and(page.locator('[aria-invalid=true]')).waitFor();
      await auditScreenInEachAppearance(page, 'upload-page-refused');
      await page.getByRole('tab', { name: 'Web site' }).click();
      await page.getByLabel('Start page').fill(start);
      await page.getByLabel('Name').fill('Shop');
      await page.getByLabel('Sync again').selectOption({ label: 'Every day' });
      await auditScreenInEachAppearance(page, 'upload-site');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
      expect((await client.listDatasources({ datastoreId })).items).toMatchObject([
        { type: 'web_site', schedule: 'every 1d', config: { source_url: start } },
      ]);
    });

    it('a user adds a listing with request headers, whose values the console never shows again', async () => {
      const listing = await startListingServer(3);
      const { page, client, datastoreId } = await openUploadScreen(running());
      await page.getByRole('tab', { name: 'Item listing' }).click();
      await page.getByLabel('Address of the listing').fill(buildListingConfig(listing).url);
      await page.getByLabel('Name').first().fill('Shop');
      await page.getByRole('button', { name: 'Add a header' }).click();
      await page.getByLabel('Header', { exact: true }).fill('X-API-Key');
      await page.getByLabel('Value', { exact: true }).fill(LISTING_KEY);
      await auditScreenInEachAppearance(page, 'upload-listing');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
      await page.getByText('Ready').first().waitFor();
      const { items } = await client.listDatasources({ datastoreId });
      expect(items).toMatchObject([{ type: 'item_listing', run: { counters: { indexed: 3 } } }]);
      await page.getByRole('tab', { name: 'Settings' }).click();
      await page.getByText('The stored headers are not shown.').waitFor();
      expect(await page.content()).not.toContain(LISTING_KEY);
    });

    it('a dry run before a listing is added reports the items, the fields and the first problems of the listing', async () => {
      const listing = await startListingServer(3);
      const products = makeProducts(2);
      listing.setItems([...products, { id: 'bad', title: '', date_modified: '2026-01-01T00:00:00.000Z' }]);
      const { page, client } = await openUploadScreen(running());
      await page.getByRole('tab', { name: 'Item listing' }).click();
      await page.getByLabel('Address of the listing').fill('http://10.0.0.1/items');
      await page.getByRole('button', { name: 'Dry run' }).click();
      await page.getByText('This address belongs to one computer or a private network.').waitFor();
      await page.getByLabel('Address of the listing').fill(listing.url);
      await page.getByRole('button', { name: 'Dry run' }).click();
      const report = page.getByRole('region', { name: 'Report of the dry run' });
      await report.getByText('The listing responded with 401').first().waitFor();
      await page.getByRole('button', { name: 'Add a header' }).click();
      await page.getByLabel('Header', { exact: true }).fill('X-API-Key');
      await page.getByLabel('Value', { exact: true }).fill(LISTING_KEY);
      expect(await report.count()).toBe(0);
      listing.hold();
      await page.getByRole('button', { name: 'Dry run' }).click();
      await page.getByText('It takes at most 20 seconds.').waitFor();
      listing.release();
      await report.getByText('The listing has 3 items.').waitFor();
      await report.getByText('3 items were read: 2 valid, 1 invalid.').waitFor();
      const first = report.getByRole('list').filter({ hasText: products[0]?.title ?? '' });
      expect(await first.getByRole('listitem').count()).toBe(2);
      await report.getByText('Item bad is not valid: title must not be empty').waitFor();
      await report.getByRole('row', { name: /^price 2 / }).waitFor();
      await report.getByRole('table').scrollIntoViewIfNeeded();
      await auditScreenInEachAppearance(page, 'upload-listing-dry-run');
      expect((await client.listDatasources()).items).toEqual([]);
    });
  });
}
