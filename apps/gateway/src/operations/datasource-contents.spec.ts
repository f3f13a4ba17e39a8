import {
  datasourceStatusQueue,
  type DocumentResponse,
  type DocumentSettled,
  type Page,
  type RunResponse,
} from '@quarry/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { startConsumers } from '../consumers.js';
import { publishAndListIngestionJobs } from '../testing/jobs.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { createSite, getStringField, uploadText } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const AT = '2026-06-01T12:00:00.000Z';

const used = setUpTenant();

beforeAll(() => {
  startConsumers(used.test.gateway);
});

const getStatusProducer = () => used.test.queues.createProducer(datasourceStatusQueue);

async function getRunId(id: string): Promise<string> {
  const { body } = (await used.tenant.api.get(`/api/datasources/${id}`)) as { body: { run: { id: string } } };
  return body.run.id;
}

async function getPage(path: string): Promise<unknown> {
  const response = await used.tenant.api.get(`/api/datasources/${path}`);
  expectDocumented(response, 'get', path.replace(/^[^/]+/, '/datasources/{id}').replace(/\?.*/, ''));
  return response.body;
}

describe('GET /api/datasources/{id}/documents', () => {
  const listDocuments = async (id: string, query = '') =>
    (await getPage(`${id}/documents${query}`)) as Page<DocumentResponse>;

  it('GET /api/datasources/{id}/documents returns each document of a site with its outcome and reason, page by page', async () => {
    const id = await createSite(used.tenant.api, used.datastore);
    const runId = await getRunId(id);
    const event = { datasourceId: id, runId, at: AT };
    for (const documentKey of ['c', 'a', 'b', 'Ü']) {
      await getStatusProducer().add('document-settled', {
        ...event,
        documentKey,
        outcome: 'indexed',
        fragments: 2,
        name: 'Title',
      });
    }
    const why = { code: 'robots_disallowed' as const, message: 'The rules of the site forbid it.' };
    await getStatusProducer().add('document-settled', {
      ...event,
      documentKey: 'd',
      outcome: 'skipped',
      ...why,
      source: 'd',
    });
    await used.test.queues.runAllJobs();
    const first = await listDocuments(id, '?limit=3');
    const second = await listDocuments(id, `?limit=3&cursor=${first.next_cursor ?? ''}`);
    const all = [...first.items, ...second.items];
    expect(first.items).toHaveLength(3);
    expect(second.next_cursor).toBeNull();
    expect(all.map(({ documentKey }) => documentKey).toSorted()).toEqual(['a', 'b', 'c', 'd', 'Ü']);
    expect(all.find(({ documentKey }) => documentKey === 'd')).toEqual({
      ...{
        documentKey: 'd',
        name: null,
        source: 'd',
        outcome: 'skipped',
        ...why,
        fragments: 0,
        storedTokens: 0,
        pages: null,
        settledAt: AT,
      },
    });
    expect((await listDocuments(id, '?outcome=skipped')).items.map(({ documentKey }) => documentKey)).toEqual(['d']);
    expect((await listDocuments(id, '?outcome=failed')).items).toEqual([]);
    const [found, ...others] = (await listDocuments(id, `?documentKey=${encodeURIComponent('Ü')}`)).items;
    expect([found, others]).toMatchObject([{ documentKey: 'Ü', name: 'Title' }, []]);
    expect((await listDocuments(id, '?documentKey=e')).items).toEqual([]);
  });

  it('GET /api/datasources/{id}/documents returns for each document the number of its pages, and how many of them have undecoded, unrecognized or recognized text', async () => {
    const confidences = [
      { page: 2, confidence: 96 },
      { page: 7, confidence: 40 },
    ];
    const recognized = { recognizedPages: 3, recognitionConfidence: 91, pageConfidences: confidences };
    const counts = { undecodedPages: 1, imagePages: 2, ...recognized, pages: 9 };
    const pages = { total: 9, undecoded: 1, images: 2, recognized: 3, confidence: 91, confidences };
    const site = await createSite(used.tenant.api, used.datastore);
    const file = await uploadText(used.tenant.api, used.datastore, 'text', 'scan.txt');
    const indexed = { documentKey: 'a', outcome: 'indexed', fragments: 2, ...counts } as const;
    const producer = getStatusProducer();
    await producer.add('document-settled', { datasourceId: site, runId: await getRunId(site), at: AT, ...indexed });
    const end = { sequence: 1, status: 'synched', outcome: 'indexed', fragments: 2, ...counts } as const;
    await producer.add('status-changed', { datasourceId: file, runId: await getRunId(file), at: AT, ...end });
    await used.test.queues.runAllJobs();
    expect((await listDocuments(site)).items).toMatchObject([{ documentKey: 'a', pages }]);
    expect((await listDocuments(file)).items).toMatchObject([{ documentKey: 'scan.txt', pages }]);
  });

  it('GET /api/datasources/{id}/documents keeps the page counts of a document if a later run fails to index it, and removes the counts if its new content has no pages', async () => {
    const id = await createSite(used.tenant.api, used.datastore);
    const pages = { total: 2, undecoded: 0, images: 0, recognized: 0, confidence: null, confidences: [] };
    const recordDocument = async (settled: Partial<DocumentSettled> & Pick<DocumentSettled, 'outcome'>) => {
      const event = { datasourceId: id, runId: await getRunId(id), at: AT, documentKey: 'a', ...settled };
      await getStatusProducer().add('document-settled', event);
      await used.test.queues.runAllJobs();
      await used.tenant.api.post(`/api/datasources/${id}/sync`);
    };
    await recordDocument({ outcome: 'indexed', fragments: 2, pages: 2 });
    expect((await listDocuments(id)).items).toMatchObject([{ pages }]);
    await recordDocument({ outcome: 'failed', code: 'file_unreadable' });
    expect((await listDocuments(id)).items).toMatchObject([{ outcome: 'failed', pages }]);
    await recordDocument({ outcome: 'indexed', fragments: 1 });
    expect((await listDocuments(id)).items).toMatchObject([{ outcome: 'indexed', pages: null }]);
  });

  it('GET /api/datasources/{id}/documents returns the single document of a file', async () => {
    const id = await uploadText(used.tenant.api, used.datastore, 'text', 'a.txt');
    expect((await listDocuments(id)).items).toMatchObject([{ documentKey: 'a.txt', outcome: null, settledAt: null }]);
    const end = { status: 'error', code: 'file_encrypted', message: 'It is encrypted.' } as const;
    await getStatusProducer().add('status-changed', {
      datasourceId: id,
      runId: await getRunId(id),
      sequence: 1,
      at: AT,
      ...end,
    });
    await used.test.queues.runAllJobs();
    const [document] = (await listDocuments(id)).items;
    expect(document).toMatchObject({ name: 'a.txt', outcome: 'failed', code: 'file_encrypted', settledAt: AT });
    expect((await listDocuments(id, '?outcome=failed')).items).toHaveLength(1);
    expect((await listDocuments(id, '?outcome=indexed')).items).toEqual([]);
  });

  it.each(['cursor=%00', 'cursor=AA', 'cursor=!', 'outcome=fine', 'colour=red'])(
    'GET /api/datasources/{id}/documents refuses the query string ?%s',
    async (query) => {
      const id = await uploadText(used.tenant.api, used.datastore);
      expect((await used.tenant.api.get(`/api/datasources/${id}/documents?${query}`)).status).toBe(400);
    },
  );

  it('GET /api/datasources/{id}/documents returns 404 for the documents of a datasource of another organization', async () => {
    const id = await uploadText(used.tenant.api, used.datastore);
    const other = await used.test.createTenant();
    expect((await other.api.get(`/api/datasources/${id}/documents`)).status).toBe(404);
    expect((await other.api.get(`/api/datasources/${id}/runs`)).status).toBe(404);
  });
});

describe('GET /api/datasources/{id}/runs', () => {
  it('GET /api/datasources/{id}/runs lists the runs of a datasource newest first, with status, note and timeline', async () => {
    const id = await createSite(used.tenant.api, used.datastore);
    const first = await getRunId(id);
    const event = { datasourceId: id, runId: first, at: AT };
    await getStatusProducer().add('run-enumerated', { ...event, complete: false, note: 'The site is empty.' });
    await used.test.queues.runAllJobs();
    for (let more = 0; more < 2; more += 1) await used.tenant.api.post(`/api/datasources/${id}/sync`);
    const newest = (await getPage(`${id}/runs?limit=2`)) as Page<RunResponse>;
    expect(newest.items.map(({ status }) => status)).toEqual(['pending', 'superseded']);
    const oldest = (await getPage(`${id}/runs?limit=2&cursor=${newest.next_cursor ?? ''}`)) as Page<RunResponse>;
    expect(oldest.next_cursor).toBeNull();
    expect(oldest.items).toMatchObject([
      {
        ...{ id: first, status: 'synched', note: 'The site is empty.', code: null, failureReasons: [] },
        notes: [{ code: null, parameters: {}, message: 'The site is empty.' }],
      },
    ]);
    expect(oldest.items[0]?.timeline.map(({ step }) => step)).toEqual(['pending', 'synched']);
  });
});

describe('PATCH /api/datasources/{id}', () => {
  const patchDatasource = async (id: string, body: object) => {
    const response = await used.tenant.api.patch(`/api/datasources/${id}`).send(body);
    expectDocumented(response, 'patch', '/datasources/{id}');
    return response;
  };

  it('PATCH /api/datasources/{id} renames a datasource, and the next ingestion job still has the original name of the file', async () => {
    const id = await uploadText(used.tenant.api, used.datastore, 'text', 'a.txt');
    expect((await patchDatasource(id, { name: 'Handbook.pdf' })).body).toMatchObject({ id, name: 'Handbook.pdf' });
    await used.tenant.api.post(`/api/datasources/${id}/sync`);
    const jobs = await publishAndListIngestionJobs(used.test, used.tenant.organizationId);
    expect(jobs.at(-1)?.payload).toMatchObject({ name: 'a.txt' });
  });

  it('PATCH /api/datasources/{id} replaces the start address of a site by a sitemap, and refuses to leave a site without an address', async () => {
    const id = await createSite(used.tenant.api, used.datastore);
    const sitemap = 'https://example.com/sitemap.xml';
    expect((await patchDatasource(id, { config: { sitemap, source_url: null } })).body).toMatchObject({
      config: { sitemap },
    });
    const response = await patchDatasource(id, { config: { sitemap: null } });
    expect(response.status).toBe(400);
    expect(getStringField(response, 'detail')).toBe('config must contain sitemap or source_url, found neither.');
    expect((await patchDatasource(id, { config: { colour: 'red' } })).status).toBe(400);
  });

  it('PATCH /api/datasources/{id} of an uploaded file refuses `config`, `type` and a blank name', async () => {
    const id = await uploadText(used.tenant.api, used.datastore);
    expect((await patchDatasource(id, { config: { fileName: 'b.txt' } })).status).toBe(400);
    expect((await patchDatasource(id, { type: 'document' })).status).toBe(400);
    expect((await patchDatasource(id, { name: '' })).status).toBe(400);
    expect((await patchDatasource(id, { name: ' \t' })).status).toBe(400);
  });
});
