import { catalogQueue, datasourceStatusQueue, type DatasourceResponse } from '@quarry/contracts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startConsumers } from '../consumers.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { publishAndListIngestionJobs, publishOutboxJobs } from '../testing/jobs.js';
import { getStringField } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const AT = '2026-06-01T12:00:00.000Z';
const LISTING = { type: 'item_listing', config: { url: 'https://shop.example.com/items' } };
const SITE = { type: 'web_site', config: { source_url: 'https://shop.example.com' } };

const used = setUpTenant();
let id: string;

beforeAll(() => {
  startConsumers(used.test.gateway);
});

const createDatasource = async (source: object): Promise<void> => {
  const body = { name: 'Shop', datastoreId: used.datastore, ...source };
  id = getStringField(await used.tenant.api.post('/api/datasources').send(body), 'id');
};

const startSync = async (query = '') => {
  const response = await used.tenant.api.post(`/api/datasources/${id}/sync${query}`);
  expectDocumented(response, 'post', '/datasources/{id}/sync');
  return response;
};

/**
 * Reports that the current run found exactly the documents with the given keys.
 *
 * @returns the datasource after the run
 */
async function reportFoundDocuments(...keys: readonly string[]): Promise<DatasourceResponse> {
  const getDatasource = async () => (await used.tenant.api.get(`/api/datasources/${id}`)).body as DatasourceResponse;
  const run = { datasourceId: id, runId: (await getDatasource()).run?.id ?? '', at: AT };
  const events = used.test.queues.createProducer(datasourceStatusQueue);
  for (const documentKey of keys) {
    await events.add('document-settled', { ...run, documentKey, outcome: 'indexed', fragments: 1, storedTokens: 5 });
  }
  await events.add('run-enumerated', { ...run, complete: true });
  await used.test.queues.runAllJobs();
  return getDatasource();
}

const listKeys = async (): Promise<readonly string[]> => {
  const { items } = (await used.tenant.api.get(`/api/datasources/${id}/documents`)).body as {
    readonly items: readonly { readonly documentKey: string }[];
  };
  return items.map(({ documentKey }) => documentKey);
};

describe.each([LISTING, SITE])('a datasource that lost most of its documents: $type', (source) => {
  beforeEach(async () => {
    await createDatasource(source);
    await reportFoundDocuments('a', 'b', 'c', 'd', 'e');
  });

  it('if 4 of 5 known documents are missing, a sync keeps the missing documents, and its note names three of them and explains their removal', async () => {
    await startSync();
    expect((await reportFoundDocuments('a')).run).toMatchObject({
      counters: { removed: 0 },
      removal: { documents: 4, of: 5, threshold: 0.3, needsConfirmation: true },
      note: '4 of 5 known documents were not found again, or are now excluded. They are kept, because so many at once suggest a fault of the source. The first: b, c, d. To remove them, sync with allowMassRemoval=true.',
      notes: [{ code: 'missing_documents_kept', parameters: { missing: 4, known: 5, examples: 'b, c, d' } }],
    });
    expect(await listKeys()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('a sync with `allowMassRemoval=true` removes missing documents, but a later sync without this parameter keeps newly missing documents', async () => {
    await startSync();
    await reportFoundDocuments('a', 'b', 'c');
    expect((await startSync('?allowMassRemoval=true')).status).toBe(200);
    expect((await reportFoundDocuments('a', 'b', 'c')).run).toMatchObject({
      counters: { removed: 2 },
      removal: { documents: 2, of: 5, threshold: 0.3, needsConfirmation: false },
      note: null,
    });
    expect(await listKeys()).toEqual(['a', 'b', 'c']);
    const removals = (await publishAndListIngestionJobs(used.test, used.tenant.organizationId)).filter(
      ({ name }) => name === 'remove-document',
    );
    expect(removals).toMatchObject([{ payload: { documentKey: 'd' } }, { payload: { documentKey: 'e' } }]);
    await startSync();
    expect((await reportFoundDocuments('a', 'b', 'c')).run).toMatchObject({ counters: { removed: 0 }, removal: null });
    await startSync();
    expect((await reportFoundDocuments('a')).run?.note).toContain('2 of 3 known documents');
  });

  it('a sync with `allowMassRemoval=true` can remove all documents of a datasource', async () => {
    await startSync('?allowMassRemoval=true');
    expect((await reportFoundDocuments()).run?.counters).toMatchObject({ removed: 5 });
    expect(await listKeys()).toEqual([]);
  });
});

it('a sync of a listing with `allowMassRemoval=true` is always a full sync, even with `full=false`', async () => {
  await createDatasource(LISTING);
  await reportFoundDocuments('a');
  for (const query of ['?allowMassRemoval=true', '?allowMassRemoval=true&full=false']) {
    await startSync(query);
    expect((await reportFoundDocuments('a')).status).toBe('synched');
  }
  await publishOutboxJobs(used.test);
  const jobs = used.test.queues.listAddedJobs(catalogQueue).filter(({ payload }) => payload.datasourceId === id);
  expect(jobs.map(({ payload }) => [payload.mode, payload.allowMassRemoval])).toEqual([
    ['full', false],
    ['full', true],
    ['full', true],
  ]);
});

it('a sync of a single web page with `allowMassRemoval=true` is refused', async () => {
  await createDatasource({ type: 'web_page', config: { source_url: 'https://shop.example.com/imprint' } });
  const refused = await startSync('?allowMassRemoval=true');
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('requires a datasource of the type item_listing or web_site, found web_page');
});
