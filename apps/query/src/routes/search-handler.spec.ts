import type { ConnectedProvider } from '@quarry/contracts';
import request, { type Test } from 'supertest';
import { describe, expect, it } from 'vitest';
import { createInProcessQuery } from '../in-process-query.js';
import type { ModelSource } from '../models/model-source.js';
import { createQueryApp } from '../server.js';
import {
  METRICS_TOKEN,
  createModelSource,
  createQueryContext,
  TOKEN,
  type ContextParts,
} from '../testing/query-context.js';
import { createScriptedModel } from '../testing/scripted-model.js';

const NEVER = new AbortController().signal;
const SEARCH = { query: 'warranty', topK: 3, organizationId: 'o1', datastores: [{ id: 'd1' }] };

async function postSearch(body: unknown, parts?: ContextParts, token = TOKEN): Promise<Test> {
  const app = createQueryApp(await createQueryContext(parts), NEVER);
  const sent = request(app).post('/internal/search').set('Authorization', `Bearer ${token}`);
  // The caller awaits supertest's promise, which sends the request.
  return sent.send(body as object);
}

describe('POST /internal/search', () => {
  it('POST /internal/search returns the matching fragments with exactly the fields of `FoundFragment`', async () => {
    const documents = [
      {
        fragments: ['The warranty lasts two years.'],
        customId: 'c1',
        source: 'https://example.com/w',
        datasourceId: 's1',
      },
      { fragments: ['The office is in Lisbon.'] },
    ];
    const response = await postSearch(SEARCH, { documents });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      fragments: [
        {
          fragmentId: expect.any(String) as string,
          datasourceId: 's1',
          documentKey: expect.any(String) as string,
          customId: 'c1',
          source: 'https://example.com/w',
          page: null,
          rectangles: [],
          text: 'The warranty lasts two years.',
          score: expect.closeTo(0.5, 0) as number,
        },
      ],
      notes: [],
    });
  });

  it('POST /internal/search responds with 401 to a request with a wrong internal token', async () => {
    const response = await postSearch(SEARCH, {}, 'another');
    expect(response.status).toBe(401);
    expect(response.body).toMatchObject({ code: 'unauthorized' });
  });

  it.each([
    [{ ...SEARCH, query: '' }, 'query'],
    [{ ...SEARCH, topK: 101 }, 'topK'],
    [{ ...SEARCH, organizationId: undefined }, 'organizationId'],
    [{ ...SEARCH, datastores: [{}] }, 'datastores.0.id'],
    [{ ...SEARCH, furtherQueries: 'Lisbon' }, 'furtherQueries'],
    [{ ...SEARCH, filters: { custom_ids: 'c1' } }, 'filters.custom_ids'],
  ])('POST /internal/search rejects a request with %j and names the invalid field', async (body, path) => {
    const response = await postSearch(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
  });

  it('POST /internal/search searches for the `query` and the `furtherQueries` of a request', async () => {
    const documents = [{ fragments: ['The warranty lasts two years.'] }, { fragments: ['The office is in Lisbon.'] }];
    const response = await postSearch({ ...SEARCH, furtherQueries: ['Lisbon'] }, { documents });
    expect((response.body as { fragments: unknown[] }).fragments).toHaveLength(2);
  });

  it('if a request sets `rewrite`, POST /internal/search rewrites the queries with the default model, and returns the rewritten queries', async () => {
    const documents = [{ fragments: ['The warranty lasts two years.'] }, { fragments: ['The office is in Lisbon.'] }];
    const [model, rewriteMs] = [createScriptedModel(['office\n', 'Lisbon']), 5_000];
    const body = { ...SEARCH, query: 'Hello there', furtherQueries: ['Bye'], rewrite: true };
    expect((await postSearch(body, { documents, model, rewriteMs })).body).toMatchObject({
      ...{ rewritten: ['office', 'Lisbon'], notes: [] },
      fragments: [{ text: 'The office is in Lisbon.' }],
    });
    const original = await postSearch({ ...body, query: 'warranty' }, { documents, rewriteMs });
    expect(original.body).toMatchObject({ fragments: [{ text: 'The warranty lasts two years.' }] });
    expect(original.body).not.toHaveProperty('rewritten');
    await postSearch({ ...body, rewrite: false }, { documents, model, rewriteMs });
    expect(model.calls).toHaveLength(1);
  });

  it('POST /internal/search rewrites queries with a model of the `modelConnections` in the request', async () => {
    const connected: (readonly ConnectedProvider[])[] = [];
    const model = createScriptedModel(['office']);
    const models: ModelSource = {
      ...createModelSource(() => undefined),
      connect: async (connections) => {
        connected.push(connections);
        return Promise.resolve({ choose: () => model });
      },
    };
    const modelConnections = [{ provider: 'openai', apiKey: 'k' }];
    const response = await postSearch({ ...SEARCH, rewrite: true, modelConnections }, { models, rewriteMs: 5_000 });
    expect([response.body, connected]).toMatchObject([{ rewritten: ['office'] }, [modelConnections]]);
  });

  it('POST /internal/search ignores unknown fields, which a newer gateway may send', async () => {
    expect((await postSearch({ ...SEARCH, rerank: true })).status).toBe(200);
  });

  it('POST /internal/search responds with 503 if the fragment store is unavailable', async () => {
    const context = await createQueryContext();
    const fragmentStore = { ...context.fragmentStore, searchLexical: () => Promise.reject(new Error('refused')) };
    const response = await postSearch(SEARCH, { fragmentStore });
    expect(response.status).toBe(503);
    expect(response.body).toMatchObject({ code: 'dependency_unavailable' });
    expect(response.text).not.toContain('refused');
  });
});

describe('concurrent searches', () => {
  it('until the search of a disconnected caller has ended, the query service refuses further searches with 503 and `Retry-After`', async () => {
    const { fragmentStore } = await createQueryContext();
    const ended = Promise.withResolvers<[]>();
    const started = Promise.withResolvers<undefined>();
    const searchLexical = (): Promise<[]> => {
      started.resolve(undefined);
      return ended.promise;
    };
    const admissionLimits = { running: 1, waiting: 1, waitMs: 30 };
    const query = createInProcessQuery(
      await createQueryContext({ fragmentStore: { ...fragmentStore, searchLexical }, admissionLimits }),
    );
    const leaving = new AbortController();
    const abandoned = query.search(SEARCH, leaving.signal);
    await started.promise;
    leaving.abort(new Error('the caller disconnected'));
    await expect(abandoned).rejects.toThrow('the caller disconnected');
    const refusal = { code: 'overloaded', kind: { status: 503 }, headers: { 'Retry-After': '1' } };
    await expect(query.search(SEARCH, NEVER)).rejects.toMatchObject(refusal);
    ended.resolve([]);
    expect(await query.search(SEARCH, NEVER)).toEqual({ fragments: [], notes: [] });
  });

  it('the query service answers 200 concurrent searches, and runs at most eight of them at a time if this is the limit', async () => {
    const { fragmentStore } = await createQueryContext();
    let running = 0;
    let most = 0;
    const searchLexical = async (): Promise<[]> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return [];
    };
    const admissionLimits = { running: 8, waiting: 200, waitMs: 30_000 };
    const query = createInProcessQuery(
      await createQueryContext({ fragmentStore: { ...fragmentStore, searchLexical }, admissionLimits }),
    );
    const found = await Promise.all(Array.from({ length: 200 }, () => query.search(SEARCH, NEVER)));
    expect(found).toHaveLength(200);
    expect(most).toBe(8);
  });
});

describe('GET /health/ready', () => {
  it('GET /health/ready reports the service as not ready if the fragment store is unavailable', async () => {
    const context = await createQueryContext();
    expect((await request(createQueryApp(context, NEVER)).get('/health/ready')).status).toBe(200);
    const fragmentStore = { ...context.fragmentStore, ping: () => Promise.reject(new Error('refused')) };
    const unavailable = await createQueryContext({ fragmentStore });
    const response = await request(createQueryApp(unavailable, NEVER))
      .get('/health/ready')
      .set('Authorization', `Bearer ${METRICS_TOKEN}`);
    expect(response.status).toBe(503);
    expect(response.body).toMatchObject({ dependencies: { fragments: { error: 'refused' } } });
  });
});
