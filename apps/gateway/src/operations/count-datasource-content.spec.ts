import { datasourceStatusQueue, type DatasourceResponse, type DocumentResponse, type Page } from '@quarry/contracts';
import { beforeAll, expect, it } from 'vitest';
import { startConsumers } from '../consumers.js';
import { recordRunEnumeration } from '../runs/update/record-outcomes.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { createSite, uploadText } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const AT = '2026-06-01T12:00:00.000Z';
const NOTHING = { documents: 0, fragments: 0, storedTokens: 0 };
const used = setUpTenant();

beforeAll(() => {
  startConsumers(used.test.gateway);
});

const getProducer = () => used.test.queues.createProducer(datasourceStatusQueue);

async function getDatasource(id: string): Promise<DatasourceResponse> {
  const response = await used.tenant.api.get(`/api/datasources/${id}`);
  expectDocumented(response, 'get', '/datasources/{id}');
  return response.body as DatasourceResponse; // as documented
}

async function listDocuments(id: string): Promise<readonly DocumentResponse[]> {
  const { body } = (await used.tenant.api.get(`/api/datasources/${id}/documents`)) as { body: Page<DocumentResponse> }; // as documented
  return body.items;
}

/** Ends the run of a site as incomplete, so that the run removes no documents that it did not find. */
async function endRun(id: string): Promise<void> {
  const { run } = await getDatasource(id);
  const event = { datasourceId: id, runId: run?.id ?? '', at: AT, complete: false };
  await recordRunEnumeration(used.test.gateway.db, event, new Date(AT));
}

it('the field `content` of a datasource counts all indexed documents, including documents that the latest sync did not read', async () => {
  const { api } = used.tenant;
  const id = await createSite(api, used.datastore);
  expect((await getDatasource(id)).content).toEqual(NOTHING);
  const settled = { datasourceId: id, runId: (await getDatasource(id)).run?.id ?? '', at: AT };
  for (const [at, documentKey] of ['a', 'b', 'c'].entries()) {
    const stored = { outcome: 'indexed', fragments: at + 1, storedTokens: 10 * (at + 1) } as const;
    await getProducer().add('document-settled', { ...settled, documentKey, ...stored });
  }
  const refused = { outcome: 'skipped', code: 'robots_disallowed' } as const;
  await getProducer().add('document-settled', { ...settled, documentKey: 'd', ...refused });
  await used.test.queues.runAllJobs();
  const content = { documents: 3, fragments: 6, storedTokens: 60 };
  expect(await getDatasource(id)).toMatchObject({ status: 'pending', content });
  expect((await listDocuments(id)).map(({ fragments, storedTokens }) => [fragments, storedTokens])).toEqual([
    ...[[1, 10], [2, 20], [3, 30], [0, 0]], // prettier-ignore
  ]);
  await endRun(id);
  const synced = await api.post(`/api/datasources/${id}/sync`);
  expect(synced.body).toMatchObject({ content });
  await endRun(id);
  const after = await getDatasource(id);
  expect(after).toMatchObject({ status: 'synched', run: { counters: { indexed: 0 } }, content });
  const listed = await api.get(`/api/datasources?datastoreId=${used.datastore}&type=web_site`);
  const { items } = listed.body as Page<DatasourceResponse>; // as documented
  expect(items.find((one) => one.id === id)).toMatchObject({ content });
});

it('the field `content` of the datasource of a file counts one document after the first successful run', async () => {
  const id = await uploadText(used.tenant.api, used.datastore);
  expect((await getDatasource(id)).content).toEqual(NOTHING);
  const end = { status: 'synched', outcome: 'indexed', fragments: 2, storedTokens: 70 } as const;
  const runId = (await getDatasource(id)).run?.id ?? '';
  await getProducer().add('status-changed', { datasourceId: id, runId, sequence: 1, at: AT, ...end });
  await used.test.queues.runAllJobs();
  const content = { documents: 1, fragments: 2, storedTokens: 70 };
  expect((await getDatasource(id)).content).toEqual(content);
  const synced = await used.tenant.api.post(`/api/datasources/${id}/sync`);
  expect(synced.body).toMatchObject({ status: 'pending', content });
  expect(await listDocuments(id)).toMatchObject([{ fragments: 2, storedTokens: 70 }]);
});
