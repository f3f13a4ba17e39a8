import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Datasource, DatastoreQueryRequest, QuarryClient } from '@quarry/client';
import { createExampleListing, type Item } from '@quarry/example-listing-server';
import { makeProducts } from '@quarry/example-listing-server/products';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachStack } from './quarry/stacks.js';

const API_KEY = 'the-key-of-the-shop';
const PRODUCTS = 20;
const NEEDS = {
  variables: { QUARRY_CATALOG_ALLOW_LOOPBACK: 'true' },
  servers: () => [getAddress(shop)],
  notAtAddress: 'it cannot connect to the listing of the tests',
};

let items: readonly Item[];
let requests = 0;
let shop: Server;

beforeAll(async () => {
  const app = createExampleListing(() => {
    requests += 1;
    return [...items];
  }, API_KEY);
  shop = await new Promise<Server>((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => {
      resolve(server);
    });
  });
});

afterAll(() => {
  shop.close();
});

describeOnEachStack('the items of a shop', NEEDS, (quarry, stack) => {
  let datastoreId: string;
  let id: string;
  beforeAll(async () => {
    items = makeProducts(PRODUCTS);
    ({ id: datastoreId } = await quarry().createDatastore({ name: 'Shop' }));
  });

  async function syncListing(options: Parameters<QuarryClient['syncDatasource']>[1] = {}): Promise<Datasource> {
    await quarry().syncDatasource(id, options);
    return quarry().untilSettled(id);
  }

  const searchNames = async (query: string): Promise<string> =>
    (await quarry().queryDatastore(datastoreId, { query })).map(({ text }) => text).join();

  it('a listing is read with the configured headers, and its items are searchable', async () => {
    const config = { url: `${getAddress(shop)}/items`, headers: { 'X-API-Key': API_KEY }, page_size: 7 };
    ({ id } = await quarry().createDatasource({ datastoreId, type: 'item_listing', name: 'Shop', config }));
    expect(await quarry().untilSettled(id)).toMatchObject({
      status: 'synched',
      run: { counters: { indexed: PRODUCTS } },
    });
    expect(await searchNames('porcelain lamp')).toContain('porcelain Lamp');
    expect(stack().output()).not.toContain(API_KEY);
  });

  it('if two syncs of a listing are requested directly after its creation, the datastore contains every item after the last sync', async () => {
    const query = { query: 'stoneware porcelain oak walnut linen wool steel glass', topK: 100 };
    const { id: other } = await quarry().createDatastore({ name: 'The same shop' });
    const config = { url: `${getAddress(shop)}/items`, headers: { 'X-API-Key': API_KEY }, page_size: 7 };
    const created = await quarry().createDatasource({
      ...{ datastoreId: other, type: 'item_listing', name: 'Shop', config },
    });
    for (const options of [{}, { full: true }]) await quarry().syncDatasource(created.id, options);
    expect(await quarry().untilSettled(created.id)).toMatchObject({ status: 'synched' });
    const expected = await quarry().queryDatastore(datastoreId, query);
    expect(expected.length).toBeGreaterThan(0);
    expect(await quarry().queryDatastore(other, query)).toHaveLength(expected.length);
  });

  it('a search is filtered by price and stock, and invalid filters are refused', async () => {
    const query = 'stoneware porcelain oak walnut linen wool steel glass';
    const searchWithFilters = async (filters: NonNullable<DatastoreQueryRequest['filters']>): Promise<number> =>
      (await quarry().queryDatastore(datastoreId, { query, topK: 100, filters })).length;
    const products = items.map(({ price, stock_status: stock }) => ({ price: Number(price), stock }));
    const cheap = products.filter(({ price }) => price < 130);
    const there = cheap.filter(({ stock }) => stock === 'instock');
    expect([cheap.length > 3, cheap.length < PRODUCTS, there.length < cheap.length]).toEqual([true, true, true]);
    expect(await searchWithFilters({})).toBe(PRODUCTS);
    expect(await searchWithFilters({ price: { max: 129.99 } })).toBe(cheap.length);
    expect(await searchWithFilters({ price: { min: 130 } })).toBe(PRODUCTS - cheap.length);
    expect(await searchWithFilters({ price: { max: 129.99 }, stock_status: ['instock'] })).toBe(there.length);
    const misspelt: object = { prices: { max: 129.99 } };
    await expect(searchWithFilters(misspelt)).rejects.toMatchObject({ status: 400 });
  });

  it('a sync of an unchanged listing sends one request and indexes no item', async () => {
    requests = 0;
    const synced = await syncListing();
    expect(synced).toMatchObject({ status: 'synched', run: { counters: { indexed: 0 } } });
    expect(requests).toBe(1);
  });

  it('a search finds a changed item, and an invalid item is reported with its invalid field', async () => {
    const now = new Date().toISOString();
    const [first, second, ...others] = items;
    const changed = { ...first, id: first?.id ?? '', title: 'A unicycle', date_modified: now };
    const wrong = { ...second, id: second?.id ?? '', title: 'Priceless', price: 'free', date_modified: now };
    items = [changed, wrong, ...others];
    const synced = await syncListing();
    expect(synced).toMatchObject({ status: 'synched', run: { counters: { indexed: 1, failed: 1 } } });
    expect(await searchNames('unicycle')).toContain('A unicycle');
    const [failed] = (await quarry().listDocuments(id, { outcome: 'failed' })).items;
    expect(failed).toMatchObject({ documentKey: `item:${String(wrong.id)}`, code: 'item_invalid' });
    expect(failed?.message).toMatch(/price must be a number, found "free"/);
    expect(synced.failureReasons).toMatchObject([{ code: 'item_invalid' }]);
  });

  it('a dry run reports which items a full sync would remove, and the full sync then removes them', async () => {
    items = items.slice(1);
    const dry = await syncListing({ dryRun: true, full: true });
    expect(dry.run?.note).toMatch(/A dry run, which changed nothing: .* 1 of 20 known documents would be removed/);
    expect(await searchNames('unicycle')).toContain('A unicycle');
    const synced = await syncListing({ full: true });
    expect(synced).toMatchObject({ status: 'synched', run: { counters: { removed: 1 } } });
    await expect.poll(() => searchNames('unicycle'), { timeout: 20_000 }).not.toContain('A unicycle');
  });

  it('if most items of a listing are missing, syncs keep these items indexed until a sync allows mass removal', async () => {
    const remaining = items.slice(-5);
    items = remaining;
    const preview = await syncListing({ dryRun: true, full: true });
    expect(preview.run?.note).toMatch(/14 of 19 known documents .* would be kept/);
    const guarded = await syncListing({ full: true });
    expect(guarded.run).toMatchObject({ counters: { removed: 0 } });
    expect((await syncListing({ dryRun: true, full: true })).run?.note).toBe(preview.run?.note);
    expect(guarded.run?.note).toMatch(/14 of 19 known documents .* are kept.* sync with allowMassRemoval=true/);
    const allowed = await syncListing({ allowMassRemoval: true });
    expect(allowed).toMatchObject({ status: 'synched', run: { counters: { removed: 14 } } });
    expect((await quarry().listDocuments(id, { limit: 100 })).items).toHaveLength(remaining.length);
  });
});

function getAddress(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has this form of address
}
