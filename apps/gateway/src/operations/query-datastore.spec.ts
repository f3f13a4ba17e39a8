import type { FoundFragment, SearchTrace } from '@quarry/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectDocumented } from '../testing/expect-documented.js';
import { EMPTY_EXPLANATION } from '../testing/fake-query-service.js';
import { createDatastore, getStringField, uploadText } from '../testing/create-resources.js';
import { startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';

const RECTANGLES = [{ page: 2, x: 0.1, y: 0.25, width: 0.5, height: 0.0125 }];

let test: TestGateway;
let tenant: Tenant;
let datastore: string;

beforeAll(async () => {
  test = await startTestGateway();
}, 60_000);
afterAll(async () => test.close());
beforeEach(async () => {
  tenant = await test.createTenant();
  datastore = await createDatastore(tenant.api);
});
afterEach(() => {
  test.query.refusal = undefined;
  test.query.fragments = [];
  test.query.explanation = EMPTY_EXPLANATION;
});

const postQuery = (body: object, id = datastore) => tenant.api.post(`/api/datastores/${id}/query`).send(body);

function buildFragment(datasourceId: string, more: Partial<FoundFragment> = {}): FoundFragment {
  return {
    fragmentId: 'f',
    datasourceId,
    documentKey: 'd',
    customId: null,
    source: null,
    page: null,
    rectangles: [],
    text: 'found',
    score: 0.5,
    ...more,
  };
}

describe('POST /api/datastores/{id}/query', () => {
  it('a datastore query returns the search results in the documented shape, best first', async () => {
    const file = await uploadText(tenant.api, datastore, 'x', 'a.txt');
    test.query.fragments = [
      buildFragment(file, {
        text: 'best',
        score: 0.9,
        source: 'https://example.com',
        customId: 'c',
        page: 3,
        rectangles: RECTANGLES,
      }),
      buildFragment(file),
    ];
    const response = await postQuery({ query: 'what?' });
    expect(response.status).toBe(200);
    const document = { document_key: 'a.txt', document_id: null, metadata: null };
    const shared = { datasource_id: file, datasource_name: 'a.txt', ...document };
    const source = expect.stringMatching(`^http://127.0.0.1:\\d+/api/datasources/${file}/original$`) as string;
    expect(response.body).toEqual([
      {
        ...shared,
        text: 'best',
        score: 0.9,
        source: 'https://example.com',
        custom_id: 'c',
        page: 3,
        rectangles: RECTANGLES,
      },
      { ...shared, text: 'found', score: 0.5, source, custom_id: null, page: null, rectangles: [] },
    ]);
  });

  it('a datastore query returns the id and the metadata with which a text was upserted', async () => {
    const metadata = { tags: ['a'], nested: { b: 1 } };
    const documents = [{ id: '7', text: 'x', metadata }, { text: 'y' }];
    const upserted = await tenant.api.post(`/api/datastores/upsert/${datastore}`).send({ documents });
    const { ids } = upserted.body as { ids: readonly string[] };
    test.query.fragments = ids.map((id) => buildFragment(id));
    const response = await postQuery({ query: 'what?' });
    expect(response.body).toMatchObject([
      { document_id: '7', metadata },
      { document_id: null, metadata: null },
    ]);
  });

  it('a datastore query searches only the datastore in the path, with the given filters, for five results by default', async () => {
    await postQuery({ query: 'what?', colour: 'ignored' });
    expect(test.query.searches.at(-1)).toEqual({
      organizationId: tenant.organizationId,
      datastores: [{ id: datastore }],
      query: 'what?',
      topK: 5,
    });
    const filters = { custom_ids: ['a', 'b'], datasource_ids: [] };
    await postQuery({ query: 'what?', topK: 100, filters });
    expect(test.query.searches.at(-1)).toMatchObject({ topK: 100, filters });
    await postQuery({ query: 'what?', topK: null, filters: { custom_ids: null, datasource_ids: ['x'] } });
    expect(test.query.searches.at(-1)).toMatchObject({ topK: 5, filters: { datasource_ids: ['x'] } });
    await postQuery({ query: 'what?', filters: null });
    expect(test.query.searches.at(-1)).not.toHaveProperty('filters');
  });

  it('a datastore query searches with a filter on metadata, and refuses an invalid filter with the path of the invalid field', async () => {
    const filters = { metadata: { type: 'and', filters: [{ type: 'gte', key: 'year', value: 2020 }] } };
    expect((await postQuery({ query: 'what?', filters })).status).toBe(200);
    expect(test.query.searches.at(-1)).toMatchObject({ filters });
    const searches = test.query.searches.length;
    for (const [metadata, path] of [
      [{ type: 'gte', key: 'year', value: '2020' }, 'filters.metadata.value'],
      [{ type: 'or', filters: [{ type: 'eq', value: 1 }] }, 'filters.metadata.filters.0.key'],
      [{ type: 'eq', key: 'year', vlaue: 1 }, 'filters.metadata.vlaue'],
      [[], 'filters.metadata'],
    ] as const) {
      const response = await postQuery({ query: 'what?', filters: { metadata } });
      expect(response.status).toBe(400);
      expect(JSON.stringify(response.body)).toContain(path);
    }
    expect(test.query.searches).toHaveLength(searches);
  });

  it('a datastore query sends the embedding settings of the datastore to the query service', async () => {
    const embedding = { model: 'm', dimensions: 8, distance: 'cosine' };
    const id = await createDatastore(tenant.api, { embedding });
    await postQuery({ query: 'what?' }, id);
    expect(test.query.searches.at(-1)).toMatchObject({ datastores: [{ id, embedding }] });
  });

  it('a datastore query omits fragments of deleted datasources and of other organizations', async () => {
    const other = await test.createTenant();
    const foreign = await uploadText(other.api, await createDatastore(other.api));
    const deleted = await uploadText(tenant.api, datastore);
    await tenant.api.delete(`/api/datasources/${deleted}`);
    test.query.fragments = [buildFragment(deleted), buildFragment(foreign)];
    expect((await postQuery({ query: 'what?' })).body).toEqual([]);
  });

  it.each([
    [{}, 'query'],
    [{ query: '' }, 'query'],
    [{ query: '  \n' }, 'query'],
    [{ query: 7 }, 'query'],
    [{ query: 'a', topK: 0 }, 'topK'],
    [{ query: 'a', topK: 101 }, 'topK'],
    [{ query: 'a', topK: 1.5 }, 'topK'],
    [{ query: 'a', topK: '5' }, 'topK'],
    [{ query: 'a', filters: [] }, 'filters'],
    [{ query: 'a', filters: { custom_id: ['x'] } }, 'filters.custom_id'],
    [{ query: 'a', filters: { custom_ids: 'x' } }, 'filters.custom_ids'],
    [{ query: 'a', filters: { datasource_ids: [7] } }, 'filters.datasource_ids.0'],
  ])('a datastore query refuses the body %j, and names the field %s', async (body, path) => {
    const response = await postQuery(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
  });

  it('a datastore query lists the skipped steps of a search in the header Quarry-Notes', async () => {
    test.query.notes = ['not_reranked', 'of_a_newer_service', 'not_embedded'];
    const response = await postQuery({ query: 'what?' });
    test.query.notes = [];
    expect(response.headers['quarry-notes']).toBe('not_embedded, not_reranked');
    expect((await postQuery({ query: 'what?' })).headers).not.toHaveProperty('quarry-notes');
  });

  it('a datastore query returns 503 with Retry-After if the query service fails or refuses the request, and hides the internal message', async () => {
    test.query.refusal = { status: 401, body: { code: 'unauthorized', detail: 'internal token' } };
    const refused = await postQuery({ query: 'what?' });
    expect([refused.status, getStringField(refused, 'code')]).toEqual([503, 'dependency_unavailable']);
    expect(refused.headers['retry-after']).toBe('2');
    expect(refused.text).not.toContain('internal token');
    test.query.refusal = { status: 500, body: {} };
    expect((await postQuery({ query: 'what?' })).status).toBe(503);
  });

  it('a datastore query allows cross-origin requests from any web page, even in refusals before authentication', async () => {
    const path = `/api/datastores/${datastore}/query`;
    const preflight = await test.createApi().options(path).set('Origin', 'https://shop.example');
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers': expect.stringContaining('Authorization') as unknown,
    });
    const refused = await test.createApi().post(path).send({ query: 'what?' });
    expect(refused.status).toBe(401);
    expect(refused.headers['access-control-allow-origin']).toBe('*');
    expect((await tenant.api.get('/api/datastores')).headers).not.toHaveProperty('access-control-allow-origin');
  });
});

it('if a datasource is deleted between two queries of a datastore, the later query excludes the content of that datasource', async () => {
  const file = await uploadText(tenant.api, datastore, 'x', 'a.txt');
  for (let query = 0; query < 3; query += 1) await postQuery({ query: 'what?' }).expect(200);
  expect(test.query.searches.at(-1)?.excluded).toBeUndefined();
  await tenant.api.delete(`/api/datasources/${file}`).expect(204);
  await postQuery({ query: 'what?' }).expect(200);
  expect(test.query.searches.at(-1)?.excluded).toEqual({ datasourceIds: [file], documents: [] });
});

describe('POST /api/datastores/{id}/query with explain', () => {
  const scores = { lexical: { score: 3, rank: 1 }, dense: null, fused: { score: 0.5, rank: 1 }, reranked: null };

  function buildTrace(results: readonly string[], dropped: readonly FoundFragment[]): SearchTrace {
    return {
      query: { text: 'what?', terms: ['what'], languages: ['en'] },
      lists: [{ kind: 'lexical', text: 'what?', weight: 1, found: 3, ms: 1.5 }],
      stages: [{ stage: 'search', ms: 2 }],
      results: results.map((id) => ({ fragment_id: id, document_key: 'stored', ...scores })),
      dropped: dropped.map((fragment) => ({
        fragment,
        scores: { fragment_id: fragment.fragmentId, document_key: 'stored', ...scores },
        reason: 'rank_cut',
        duplicateOf: null,
      })),
      droppedCounts: [{ reason: 'rank_cut', count: dropped.length }],
    };
  }

  it('a datastore query with `explain: true` also returns an explanation of the search, in the documented shape', async () => {
    const file = await uploadText(tenant.api, datastore, 'x', 'a.txt');
    test.query.fragments = [buildFragment(file, { fragmentId: 'f1' })];
    const trace = buildTrace(['f1'], [buildFragment(file, { fragmentId: 'f2', text: 'lower', page: 2 })]);
    test.query.explanation = trace;
    const response = await postQuery({ query: 'what?', explain: true });
    expect(response.status).toBe(200);
    expectDocumented(response, 'post', '/datastores/{id}/query');
    expect(test.query.searches.at(-1)).toMatchObject({ explain: true });
    const { query, lists, stages } = trace;
    const results = [{ fragment_id: 'f1', document_key: 'a.txt', ...scores }];
    expect(response.body).toMatchObject({
      results: [{ text: 'found', datasource_id: file }],
      explanation: { query, lists, stages, results, dropped_counts: [{ reason: 'rank_cut', count: 1 }] },
    });
    expect(getDropped(response)).toEqual([
      {
        ...scores,
        fragment_id: 'f2',
        document_key: 'a.txt',
        reason: 'rank_cut',
        duplicate_of: null,
        text: 'lower',
        source: null,
        page: 2,
        datasource_id: file,
        datasource_name: 'a.txt',
        custom_id: null,
      },
    ]);
  });

  it('the explanation of a search counts the fragments of deleted datasources, but lists neither these fragments nor their scores', async () => {
    const other = await test.createTenant();
    const foreign = await uploadText(other.api, await createDatastore(other.api));
    const file = await uploadText(tenant.api, datastore);
    test.query.fragments = [buildFragment(foreign), buildFragment(file)];
    test.query.explanation = buildTrace(['gone', 'kept'], [buildFragment(foreign, { text: 'secret' })]);
    const response = await postQuery({ query: 'what?', explain: true });
    expect(response.text).not.toContain('secret');
    expect(getDropped(response)).toEqual([]);
    expect(response.body).toMatchObject({
      results: [{ datasource_id: file }],
      explanation: {
        results: [{ fragment_id: 'kept' }],
        dropped_counts: [{ reason: 'rank_cut' }, { reason: 'datasource_removed', count: 1 }],
      },
    });
  });

  it('a datastore query with `explain: true` responds with 503 if the query service is of a version that cannot explain searches', async () => {
    test.query.explanation = undefined;
    const response = await postQuery({ query: 'what?', explain: true });
    expect(response.status).toBe(503);
    expect(response.body).toMatchObject({ code: 'dependency_unavailable' });
  });

  it('a datastore query refuses a value of `explain` that is not a boolean', async () => {
    expect((await postQuery({ query: 'what?', explain: 'yes' })).status).toBe(400);
  });

  const getDropped = ({ body }: { readonly body: unknown }): unknown =>
    (body as { readonly explanation: { readonly dropped: unknown } }).explanation.dropped;
});

it('in a datastore query, `top_k` is an alias of `topK`, and two different values are refused', async () => {
  const runSearch = async (fields: object) => postQuery({ query: 'q', ...fields });
  for (const fields of [{ top_k: 7 }, { topK: 7, top_k: 7 }, { topK: 7, top_k: null }, { topK: null, top_k: 7 }]) {
    expect((await runSearch(fields)).status).toBe(200);
    expect(test.query.searches.at(-1)).toMatchObject({ topK: 7 });
  }
  const different = await runSearch({ topK: 5, top_k: 3 });
  expect(different.body).toMatchObject({
    status: 400,
    errors: [{ path: 'top_k', message: 'must be absent or equal to topK, which is 5, found 3' }],
  });
  expect((await runSearch({ top_k: '3' })).body).toMatchObject({
    errors: [{ path: 'top_k', message: 'must be a number, found a string' }],
  });
});
