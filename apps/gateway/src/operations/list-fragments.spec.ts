import { datasourceStatusQueue, type FragmentResponse, type ListedFragment, type Page } from '@quarry/contracts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startConsumers } from '../consumers.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { getStringField, createDatastore, createSite, uploadText } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const RECTANGLES = [{ page: 2, x: 0.1, y: 0.25, width: 0.5, height: 0.0125 }];

const used = setUpTenant();
let site: string;

beforeAll(() => {
  startConsumers(used.test.gateway);
});
beforeEach(async () => {
  site = await createSite(used.tenant.api, used.datastore);
  await recordIndexedDocuments({ a: 3, b: 0, c: 1, 'd é': 2 });
  used.test.query.listings.length = 0;
  used.test.query.stored = [...buildStored('a', 3), ...buildStored('c', 1), ...buildStored('d é', 2)];
});

/**
 * Records that documents of the site are indexed.
 *
 * @param documents maps each document key to its number of fragments
 */
async function recordIndexedDocuments(documents: Readonly<Record<string, number>>): Promise<void> {
  const { body } = (await used.tenant.api.get(`/api/datasources/${site}`)) as { body: { run: { id: string } } };
  const event = { datasourceId: site, runId: body.run.id, at: '2026-06-01T12:00:00.000Z', outcome: 'indexed' } as const;
  for (const [documentKey, fragments] of Object.entries(documents)) {
    await used.test.queues
      .createProducer(datasourceStatusQueue)
      .add('document-settled', { ...event, documentKey, fragments });
  }
  await used.test.queues.runAllJobs();
}

function buildStored(documentKey: string, count: number): ListedFragment[] {
  return Array.from({ length: count }, (_, ordinal) => ({
    ...{ fragmentId: `${documentKey}-${String(ordinal)}`, documentKey, ordinal, text: 'text', context: 'Title' },
    ...{ page: 2, location: null, tokens: 1, rectangles: RECTANGLES },
  }));
}

async function listPage(id: string, query: string): Promise<Page<FragmentResponse>> {
  const response = await used.tenant.api.get(`/api/datasources/${id}/fragments${query}`);
  expectDocumented(response, 'get', '/datasources/{id}/fragments');
  expect(response.status).toBe(200);
  return response.body as Page<FragmentResponse>;
}

/** Lists all fragments of a datasource, page by page. @returns one list of fragment ids per page */
async function listAllIds(id: string, limit: number, query = ''): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page<FragmentResponse> = await listPage(id, `?limit=${String(limit)}&cursor=${cursor}${query}`);
    pages.push(page.items.map((fragment) => fragment.id));
    cursor = page.next_cursor;
  }
  return pages;
}

describe('GET /api/datasources/{id}/fragments', () => {
  it('GET /api/datasources/{id}/fragments returns each fragment exactly once for any page size, sorted by document key and position in the document', async () => {
    const all = ['a-0', 'a-1', 'a-2', 'c-0', 'd é-0', 'd é-1'];
    for (const limit of [1, 2, 3, 4, 6, 200]) {
      const pages = await listAllIds(site, limit);
      expect(pages.flat()).toEqual(all);
      expect(pages.filter((page) => page.length !== limit).length).toBeLessThanOrEqual(1);
    }
    const [fragment] = (await listPage(site, '')).items;
    expect(fragment).toEqual({
      ...{
        id: 'a-0',
        documentKey: 'a',
        ordinal: 0,
        text: 'text',
        context: 'Title',
        page: 2,
        rectangles: RECTANGLES,
        location: null,
        tokens: 1,
      },
    });
  });

  it('GET /api/datasources/{id}/fragments returns the fragments of one document', async () => {
    expect(await listAllIds(site, 2, '&documentKey=a')).toEqual([['a-0', 'a-1'], ['a-2']]);
    expect(await listAllIds(site, 2, '&documentKey=unknown')).toEqual([[]]);
  });

  it('GET /api/datasources/{id}/fragments requests the fragments of only as many documents from the query service as the page needs', async () => {
    await listPage(site, '?limit=1');
    expect(used.test.query.listings).toMatchObject([
      { organizationId: used.tenant.organizationId, documentKeys: ['a', 'c'], firstOrdinal: 0, limit: 2 },
    ]);
  });

  it('GET /api/datasources/{id}/fragments continues with the next document if the fragments of a document were removed between two pages', async () => {
    const { next_cursor: cursor } = await listPage(site, '?limit=2');
    used.test.query.stored = [...buildStored('c', 1), ...buildStored('d é', 2)];
    const next = await listPage(site, `?limit=2&cursor=${cursor ?? ''}`);
    expect(next.items.map((fragment) => fragment.id)).toEqual(['c-0', 'd é-0']);
  });

  it('GET /api/datasources/{id}/fragments ends the list if the fragments of all remaining documents were removed', async () => {
    used.test.query.stored = [];
    expect(await listAllIds(site, 1)).toEqual([[]]);
  });

  it('GET /api/datasources/{id}/fragments returns the name of a file as its document key, and selects the fragments of the file by that name', async () => {
    const id = await uploadText(used.tenant.api, used.datastore, 'text', 'one.txt');
    await listPage(id, '');
    const storedKey = used.test.query.listings[0]?.documentKeys[0] ?? '';
    used.test.query.stored = buildStored(storedKey, 3);
    const { items } = await listPage(id, '?documentKey=one.txt');
    expect(items.map(({ documentKey, ordinal }) => [documentKey, ordinal])).toEqual(
      [0, 1, 2].map((at) => ['one.txt', at]),
    );
    expect((await listAllIds(id, 2)).map((page) => page.length)).toEqual([2, 1]);
    expect((await listPage(id, '?documentKey=other')).items).toEqual([]);
  });

  it('GET /api/datasources/{id}/fragments lists the fragments of a web page that are stored under its normalized URL', async () => {
    const config = { source_url: 'https://Example.com?b=2&a=1&utm_source=x#top' };
    const datastoreId = used.datastore;
    const page = { type: 'web_page', name: 'Page', config, datastoreId };
    const id = getStringField(await used.tenant.api.post('/api/datasources').send(page), 'id');
    used.test.query.stored = buildStored('https://example.com/?a=1&b=2', 3);
    expect((await listAllIds(id, 2)).map((fragments) => fragments.length)).toEqual([2, 1]);
  });

  it.each(['?cursor=x', `?cursor=${Buffer.from('99999999999 a').toString('base64url')}`, '?limit=201', '?page=2'])(
    'GET /api/datasources/{id}/fragments refuses the query string %s with 400',
    async (query) => {
      const response = await used.tenant.api.get(`/api/datasources/${site}/fragments${query}`);
      expect(response.status).toBe(400);
      expectDocumented(response, 'get', '/datasources/{id}/fragments');
    },
  );

  it('GET /api/datasources/{id}/fragments responds with 404 to a key that cannot access the datastore', async () => {
    const other = await createDatastore(used.tenant.api);
    const limited = await used.tenant.api
      .post('/api/api-keys')
      .send({ name: 'limited', scopes: ['manage'], datastoreIds: [other] });
    const api = used.test.createApi(getStringField(limited, 'key'));
    expect((await api.get(`/api/datasources/${site}/fragments`)).status).toBe(404);
  });
});
