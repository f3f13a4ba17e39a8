import { describe, expect, it } from 'vitest';
import { createClient } from '../client.js';
import type { UpsertDocument } from '../types.js';
import { QuarryVectorStore } from './quarry-vector-store.js';

interface SentRequest {
  readonly method: string;
  /** Path with the query string, such as `/datasources?limit=200`. */
  readonly path: string;
  readonly bodyBytes: number;
}

/** Creates a store whose requests are recorded. Each text is a datasource whose id is the id of the text. */
function createStubStore({ listed = true }: { readonly listed?: boolean } = {}) {
  const sent: SentRequest[] = [];
  let stored: { readonly id: string; readonly status: string }[] = [];
  const respond = (path: string, method: string, body: string): Response => {
    if (method === 'DELETE') return new Response(null, { status: 204 });
    if (method === 'POST') {
      const { documents } = JSON.parse(body) as { readonly documents: readonly UpsertDocument[] }; // sent by the store
      stored = documents.map(({ id }) => ({ id: String(id), status: 'synched' }));
      return Response.json({ ids: stored.map(({ id }) => id) });
    }
    if (path.startsWith('/datasources?')) return Response.json({ items: listed ? stored : [], next_cursor: null });
    return Response.json(stored.find(({ id }) => path === `/datasources/${id}`));
  };
  const quarry = createClient({
    baseUrl: 'http://quarry.test/api',
    apiKey: 'qk_1',
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const path = request.url.slice('http://quarry.test/api'.length);
      const body = await request.text();
      sent.push({ method: request.method, path, bodyBytes: Buffer.byteLength(body) });
      return respond(path, request.method, body);
    },
  });
  return { store: new QuarryVectorStore({ quarry, datastoreId: 'd' }), sent };
}

const createDocuments = (count: number, pageContent: string) =>
  Array.from({ length: count }, (_, index) => ({ id: `t${index}`, pageContent, metadata: {} }));
const listUploads = (sent: readonly SentRequest[]) => sent.filter(({ method }) => method === 'POST');

describe('delete', () => {
  it.each([[undefined], [null], [''], [7]])(
    'delete sends no request if an id is %j, because a request without an id would select all documents',
    async (id) => {
      const { store, sent } = createStubStore();
      const ids = ['a', id] as readonly string[]; // as JavaScript allows
      await expect(store.delete({ ids })).rejects.toThrow(/^Expected a non-empty text as the id at position 1, found /);
      expect(sent).toEqual([]);
    },
  );
});

describe('addDocuments', () => {
  it('addDocuments sends one request per batch, for the newest datasources, to check that the documents of the batch are indexed', async () => {
    const { store, sent } = createStubStore();
    expect(await store.addDocuments(createDocuments(250, 'A boot.'))).toHaveLength(250);
    expect(sent.filter(({ method }) => method === 'GET').map(({ path }) => path)).toEqual(
      Array(3).fill('/datasources?datastoreId=d&limit=200'),
    );
  });

  it('addDocuments requests the datasource of each added document that is not among the newest datasources', async () => {
    const { store, sent } = createStubStore({ listed: false });
    await store.addDocuments(createDocuments(2, 'A boot.'));
    expect(sent.map(({ path }) => path).slice(-2)).toEqual(['/datasources/t0', '/datasources/t1']);
  });

  it('addDocuments limits the size of a request to 8 MiB, measured in UTF-8', async () => {
    const { store, sent } = createStubStore();
    await store.addDocuments(createDocuments(100, 'ü'.repeat(75_000)));
    expect(listUploads(sent)).toHaveLength(2);
    for (const { bodyBytes } of listUploads(sent)) expect(bodyBytes).toBeLessThanOrEqual(8 * 1_024 * 1_024);
  });

  it('addDocuments sends a document that is larger than 8 MiB in a request of its own', async () => {
    const { store, sent } = createStubStore();
    await store.addDocuments([
      ...createDocuments(1, 'a'),
      { id: 'large', pageContent: 'a'.repeat(9_000_000), metadata: {} },
      { id: 'last', pageContent: 'a', metadata: {} },
    ]);
    expect(listUploads(sent).map(({ bodyBytes }) => bodyBytes > 1_000)).toEqual([false, true, false]);
  });
});

/** Creates a store whose datasources have the ids of their documents. Deletions wait until `release` is called. */
function createStoreForDeletions(refused: readonly string[] = []) {
  const state = { running: 0, most: 0, deleted: [] as string[] };
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  const deleteDatasource = async (id: string): Promise<Response> => {
    state.running += 1;
    state.most = Math.max(state.most, state.running);
    await released;
    state.running -= 1;
    if (refused.includes(id)) return Response.json({ code: 'forbidden', detail: 'No.' }, { status: 403 });
    state.deleted.push(id);
    return new Response(null, { status: 204 });
  };
  const quarry = createClient({
    baseUrl: 'http://quarry.example/api',
    apiKey: 'qk_1',
    fetch: (input, init) => {
      const request = new Request(input, init);
      const { pathname, searchParams } = new URL(request.url);
      if (request.method === 'DELETE') return deleteDatasource(pathname.split('/').at(-1) ?? '');
      const id = searchParams.get('documentId');
      return Promise.resolve(
        Response.json({
          items: id === 'unknown' ? [] : [{ id }],
          next_cursor: null,
        }),
      );
    },
  });
  return {
    store: new QuarryVectorStore({ quarry, datastoreId: 's1' }),
    state,
    release: () => {
      release(undefined);
    },
  };
}

describe('deleting documents of a QuarryVectorStore', () => {
  it('delete() sends a limited number of requests at the same time, and ignores unknown and repeated ids', async () => {
    const { store, state, release } = createStoreForDeletions();
    const ids = Array.from({ length: 20 }, (_, at) => `doc-${at}`);
    const deleting = store.delete({ ids: ['unknown', ...ids, ...ids] });
    await expect.poll(() => state.running).toBe(8);
    release();
    await deleting;
    expect(state.most).toBe(8);
    expect(state.deleted.toSorted()).toEqual(ids.toSorted());
  });

  it('delete() reports each failed deletion, and still deletes the other documents', async () => {
    const { store, state, release } = createStoreForDeletions(['b', 'd']);
    release();
    const error = await store.delete({ ids: ['a', 'b', 'c', 'd', 'e'] }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AggregateError);
    expect((error as AggregateError).errors).toMatchObject([
      {
        message: expect.stringContaining('The document b was not deleted') as unknown,
        cause: { code: 'forbidden' },
      },
      {
        message: expect.stringContaining('The document d was not deleted') as unknown,
        cause: { code: 'forbidden' },
      },
    ]);
    expect(state.deleted.toSorted()).toEqual(['a', 'c', 'e']);
  });
});
