import type { ListingDryRunResponse } from '@quarry/contracts';
import {
  createFakeItem,
  createFakeItems,
  createListingApp,
  FakeListing,
  serveListing,
  type TestListing,
} from '@quarry/item-listing/testing';
import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { openListingHttpClient } from '../context.js';
import { runListingDryRun } from '../datasources/listing-dry-run.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { TEST_SETTINGS } from '../testing/start-test-gateway.js';
import { createDatastore } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const settings = { ...TEST_SETTINGS, allowLoopback: { ...TEST_SETTINGS.allowLoopback, catalog: true } };
const listingFetch = openListingHttpClient(settings);
const used = setUpTenant({ settings, listingFetch });

let served: TestListing | undefined;
afterEach(async () => {
  await served?.close();
  served = undefined;
});

const startServer = async (app: RequestListener): Promise<string> => {
  served = await serveListing(app);
  return served.url;
};

const requestDryRun = async (config: object, { api } = used.tenant, datastoreId = used.datastore) => {
  const response = await api.post('/api/datasources/dry-run').send({ type: 'item_listing', datastoreId, config });
  expectDocumented(response, 'post', '/datasources/dry-run');
  return response;
};

describe('the dry run of a listing that is not a datasource', () => {
  it('a dry run of a listing reports its items, their fields and the first problems, and stores nothing', async () => {
    const items = [
      createFakeItem(1, 0, { price: 12.5, tags: [], 'care instructions': ' wash\n cold ' }),
      createFakeItem(2, 1, { price: '12.50' }),
      { ...createFakeItem(3, 2), title: '' },
    ];
    const response = await requestDryRun({ url: await startServer(createListingApp(new FakeListing(items))) });
    expect(response).toMatchObject({
      status: 200,
      body: { totalCount: 3, read: 3, valid: 1, invalid: 2, isComplete: true, error: null },
    });
    const { fields, firstItems, problems } = response.body as ListingDryRunResponse;
    expect(firstItems).toEqual([{ itemId: '1', title: 'Product 1' }]);
    expect(fields).toEqual([
      { name: 'id', items: 3, example: '1' },
      { name: 'title', items: 3, example: 'Product 1' },
      { name: 'date_modified', items: 3, example: '2026-01-01T00:00:00.000Z' },
      { name: 'price', items: 2, example: '12.5' },
      { name: 'tags', items: 1, example: '[]' },
      { name: 'care instructions', items: 1, example: 'wash cold' },
    ]);
    expect(problems).toEqual([
      { itemId: '2', message: expect.stringContaining('price must be a number, found "12.50"') as unknown },
      { itemId: '3', message: expect.stringContaining('title must not be empty') as unknown },
    ]);
    expect((await used.tenant.api.get('/api/datasources')).body).toMatchObject({ items: [] });
  });

  it('a dry run sends the configured headers to the server of the listing, but neither returns nor logs their values', async () => {
    const received: unknown[] = [];
    const app = createListingApp(new FakeListing(createFakeItems(2)), ({ headers }) => {
      received.push(headers['x-api-key']);
    });
    const { text } = await requestDryRun({
      url: await startServer(app),
      headers: { 'X-API-Key': 'a-secret-of-the-shop' },
    });
    expect(received).toContain('a-secret-of-the-shop');
    expect(text + used.test.logged.join('')).not.toContain('a-secret-of-the-shop');
  });

  it('a dry run of a listing of 1,500 items stops after about a thousand items', async () => {
    const listing = new FakeListing(createFakeItems(1_500));
    const response = await requestDryRun({ url: await startServer(createListingApp(listing)), page_size: 1_000 });
    const body = response.body as ListingDryRunResponse;
    expect(body).toMatchObject({ totalCount: 1_500, isComplete: false, error: null });
    expect(body.read).toBeGreaterThanOrEqual(1_000);
    expect(body.read).toBeLessThan(1_100);
    expect(body.firstItems.map(({ itemId }) => itemId)).toEqual(['i00000', 'i00001', 'i00002', 'i00003', 'i00004']);
    expect(listing.queries.every(({ take }) => take === 100)).toBe(true);
  });

  it('a dry run of an unreadable listing reports the error code that a sync of the listing would report', async () => {
    const url = await startServer((_, response) => response.end('<html></html>'));
    expect((await requestDryRun({ url })).body).toMatchObject({
      ...{ totalCount: null, read: 0, isComplete: false },
      error: { code: 'listing_not_json', message: expect.stringContaining('found <html></html>') as unknown },
    });
  });

  it('a dry run refuses a listing at a private address, directly or after a redirect', async () => {
    const refused = await requestDryRun({ url: 'http://10.0.0.1/items' });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'config.url' }] } });
    const url = await startServer((_, response) =>
      response.writeHead(302, { location: 'http://10.0.0.1/items' }).end(),
    );
    expect((await requestDryRun({ url })).body).toMatchObject({ error: { code: 'listing_address_refused' } });
  });

  it('a dry run refuses an invalid schedule and an unknown datastore', async () => {
    const url = 'https://shop.example.com/items';
    const wrong = await requestDryRun({ url, schedule: 'sometimes' });
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'config.schedule' }] } });
    const unknown = '00000000-0000-7000-8000-00000000dead';
    expect((await requestDryRun({ url }, used.tenant, unknown)).status).toBe(404);
  });

  it('the API runs two dry runs of an organization at the same time, and refuses a third dry run', async () => {
    const waiting: (() => void)[] = [];
    const url = await startServer((_, response) => {
      waiting.push(() => response.end('{"total_count":0,"items":[]}'));
    });
    const first = [requestDryRun({ url }), requestDryRun({ url })];
    await expect.poll(() => waiting.length, { timeout: 10_000 }).toBe(2);
    const refused = await requestDryRun({ url });
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_dry_runs' } });
    expect(refused.headers['retry-after']).toBe('5');
    const other = await used.test.createTenant();
    const otherRun = requestDryRun({ url }, other, await createDatastore(other.api));
    await expect.poll(() => waiting.length, { timeout: 10_000 }).toBe(3);
    for (const respond of waiting) respond();
    for (const { status } of await Promise.all([...first, otherRun])) expect(status).toBe(200);
    const last = requestDryRun({ url });
    await expect.poll(() => waiting.length, { timeout: 10_000 }).toBe(4);
    waiting.at(-1)?.();
    expect((await last).body).toMatchObject({ totalCount: 0, read: 0, isComplete: true });
  });

  it('a dry run that times out reports the items that it has read, or the error `listing_timeout` if it has read none', async () => {
    const listing = new FakeListing(createFakeItems(200));
    const app = createListingApp(listing);
    let timeout = new AbortController();
    const url = await startServer((request, response) => {
      if (listing.queries.length === 0) app(request, response);
      else timeout.abort();
    });
    const context = { listingFetch, clock: () => new Date() };
    const read = async () =>
      runListingDryRun(context, {
        ...{ listing: { url, headers: {} }, pageSize: 100 },
        ...{ signal: new AbortController().signal, timeout: timeout.signal },
      });
    expect(await read()).toMatchObject({ read: 100, isComplete: false, error: null });
    timeout = new AbortController();
    expect(await read()).toMatchObject({ totalCount: null, read: 0, error: { code: 'listing_timeout' } });
  });
});
