import { catalogQueue, datasourceStatusQueue, type DatasourceResponse } from '@quarry/contracts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startConsumers } from '../consumers.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { jobsOf, publishAll } from '../testing/jobs.js';
import { textOf } from '../testing/make.js';
import { useTenant } from '../testing/use-tenant.js';

const AT = '2026-06-01T12:00:00.000Z';
const LISTING = { type: 'item_listing', config: { url: 'https://shop.example.com/items' } };
const SITE = { type: 'web_site', config: { source_url: 'https://shop.example.com' } };

const used = useTenant();
let id: string;

beforeAll(() => {
  startConsumers(used.test.gateway);
});

const create = async (source: object): Promise<void> => {
  const body = { name: 'Shop', datastoreId: used.datastore, ...source };
  id = textOf(await used.tenant.api.post('/api/datasources').send(body), 'id');
};

const sync = async (query = '') => {
  const response = await used.tenant.api.post(`/api/datasources/${id}/sync${query}`);
  expectDocumented(response, 'post', '/datasources/{id}/sync');
  return response;
};

/** Reports that the current run found these documents and no others. */
async function reportFound(...keys: readonly string[]): Promise<DatasourceResponse> {
  const show = async () => (await used.tenant.api.get(`/api/datasources/${id}`)).body as DatasourceResponse;
  const run = { datasourceId: id, runId: (await show()).run?.id ?? '', at: AT };
  const events = used.test.queues.producer(datasourceStatusQueue);
  for (const documentKey of keys) {
    await events.add('document-settled', { ...run, documentKey, outcome: 'indexed', fragments: 1, storedTokens: 5 });
  }
  await events.add('run-enumerated', { ...run, complete: true });
  await used.test.queues.drain();
  return show();
}

const listKeys = async (): Promise<readonly string[]> => {
  const { items } = (await used.tenant.api.get(`/api/datasources/${id}/documents`)).body as {
    readonly items: readonly { readonly documentKey: string }[];
  };
  return items.map(({ documentKey }) => documentKey);
};

describe.each([LISTING, SITE])('a datasource that lost most of its documents: $type', (source) => {
  beforeEach(async () => {
    await create(source);
    await reportFound('a', 'b', 'c', 'd', 'e');
  });

  it('keeps them, and names the first of them and the way to remove them in the note of the run', async () => {
    await sync();
    expect((await reportFound('a')).run).toMatchObject({
      counters: { removed: 0 },
      note: '4 of 5 known documents were not found again, or are now excluded. They are kept, because so many at once suggest a fault of the source. The first: b, c, d. To remove them, sync with allowMassRemoval=true.',
    });
    expect(await listKeys()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('removes them in a sync with allowMassRemoval, and not in later syncs', async () => {
    await sync();
    await reportFound('a', 'b', 'c');
    expect((await sync('?allowMassRemoval=true')).status).toBe(200);
    expect((await reportFound('a', 'b', 'c')).run).toMatchObject({ counters: { removed: 2 }, note: null });
    expect(await listKeys()).toEqual(['a', 'b', 'c']);
    const removals = (await jobsOf(used.test, used.tenant.organizationId)).filter(
      ({ name }) => name === 'remove-document',
    );
    expect(removals).toMatchObject([{ payload: { documentKey: 'd' } }, { payload: { documentKey: 'e' } }]);
    await sync();
    expect((await reportFound('a')).run?.note).toContain('2 of 3 known documents');
  });

  it('removes all documents if allowed', async () => {
    await sync('?allowMassRemoval=true');
    expect((await reportFound()).run?.counters).toMatchObject({ removed: 5 });
    expect(await listKeys()).toEqual([]);
  });
});

it('reads a listing in full if allowMassRemoval is set, whatever the other parameters are', async () => {
  await create(LISTING);
  await reportFound('a');
  for (const query of ['?allowMassRemoval=true', '?allowMassRemoval=true&full=false']) {
    await sync(query);
    expect((await reportFound('a')).status).toBe('synched');
  }
  await publishAll(used.test);
  const jobs = used.test.queues.added(catalogQueue).filter(({ payload }) => payload.datasourceId === id);
  expect(jobs.map(({ payload }) => [payload.mode, payload.allowMassRemoval])).toEqual([
    ['full', false],
    ['full', true],
    ['full', true],
  ]);
});

it('refuses allowMassRemoval for a single page', async () => {
  await create({ type: 'web_page', config: { source_url: 'https://shop.example.com/imprint' } });
  const refused = await sync('?allowMassRemoval=true');
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('requires a datasource of the type item_listing or web_site, found web_page');
});
