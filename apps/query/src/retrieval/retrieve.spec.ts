import { EmbeddingFailed } from '@quarry/embedder';
import type { FragmentStore } from '@quarry/fragment-store';
import { describe, expect, it } from 'vitest';
import { EMBEDDER, EMBEDDING, createScope, createScoredFragment, createStore } from '../testing/knowledge.js';
import { createSearchQuestion } from './search-texts.js';
import type { ContextParts } from '../testing/query-context.js';
import { createInMemoryQueryParts } from '../testing/in-memory-query-parts.js';
import { KnowledgeUnavailable, retrieveFragments, type Retrieval, type RetrievalParts } from './retrieve.js';

const NEVER = new AbortController().signal;

async function createParts(fragmentStore: FragmentStore, more: ContextParts = {}): Promise<RetrievalParts> {
  return createInMemoryQueryParts({ fragmentStore, ...more });
}

function createRetrieval(text: string, more: Partial<Retrieval> = {}): Retrieval {
  return { question: createSearchQuestion(text), scope: createScope(), topK: 5, ...more };
}

async function retrieveTexts(store: FragmentStore, retrieval: Retrieval, more?: ContextParts): Promise<string[]> {
  return (await retrieveFragments(await createParts(store, more), retrieval, NEVER)).fragments.map(({ text }) => text);
}

/** Creates a fragment store whose searches return fixed results. */
function createFixedStore(find: Partial<Pick<FragmentStore, 'searchDense' | 'searchLexical'>>): FragmentStore {
  const findNothing = async (): Promise<[]> => [];
  return { ...({} as FragmentStore), searchDense: findNothing, searchLexical: findNothing, ...find };
}

describe('retrieveFragments', () => {
  it('retrieveFragments ranks the fragments of a datastore without embedding by BM25', async () => {
    const store = await createStore([
      { fragments: ['The office is in Lisbon.'] },
      { fragments: ['The warranty lasts two years, and the warranty covers water.'] },
      { fragments: ['A warranty card lies in the box with the other papers.'] },
    ]);
    const { fragments: found } = await retrieveFragments(await createParts(store), createRetrieval('warranty'), NEVER);
    expect(found.map(({ text }) => text)).toEqual([
      'The warranty lasts two years, and the warranty covers water.',
      'A warranty card lies in the box with the other papers.',
    ]);
    expect(found.every(({ score }) => score > 0 && score < 1)).toBe(true);
  });

  it('retrieveFragments does not wait for a search slot if there is no datastore to search', async () => {
    const parts = await createParts(createFixedStore({}), { admissionLimits: { running: 0, waiting: 0, waitMs: 0 } });
    const scope = Object.assign(createScope(), { datastores: [] });
    const found = await retrieveFragments(parts, createRetrieval('warranty', { scope }), NEVER);
    expect(found).toEqual({ fragments: [], candidates: [], notes: [] });
  });

  it('retrieveFragments finds fragments that are similar only in meaning, and fragments that only share words with the query', async () => {
    const near = createScoredFragment('near in meaning');
    const store = createFixedStore({
      searchDense: async () => [{ ...near, score: 0.8 }],
      searchLexical: async () => [createScoredFragment('ERR-42', { score: 9 })],
    });
    const found = await retrieveTexts(store, createRetrieval('ERR-42 occurs', { scope: createScope({}, EMBEDDING) }));
    expect(found).toEqual(['near in meaning', 'ERR-42']);
  });

  it('retrieveFragments finds content that matches any of several queries, and ranks content that matches all queries first', async () => {
    const store = await createStore([
      { fragments: ['The office is in Lisbon.'] },
      { fragments: ['The warranty lasts two years.'] },
      { fragments: ['The office in Lisbon handles the warranty.'] },
      { fragments: ['A lunch menu.'] },
    ]);
    const question = createSearchQuestion('Lisbon office', 'warranty');
    const found = await retrieveTexts(store, createRetrieval('', { question }));
    expect(found[0]).toBe('The office in Lisbon handles the warranty.');
    expect(found.toSorted()).toEqual([
      'The office in Lisbon handles the warranty.',
      'The office is in Lisbon.',
      'The warranty lasts two years.',
    ]);
  });

  it('retrieveFragments runs the lexical and the dense search concurrently', async () => {
    const begun: string[] = [];
    const both = Promise.withResolvers<undefined>();
    const beginSearch = async (name: string): Promise<[]> => {
      begun.push(name);
      if (begun.length === 2) both.resolve(undefined);
      await both.promise;
      return [];
    };
    const store = createFixedStore({
      searchLexical: () => beginSearch('lexical'),
      searchDense: () => beginSearch('dense'),
    });
    await retrieveTexts(store, createRetrieval('x', { scope: createScope({}, EMBEDDING) }));
    expect(begun.toSorted()).toEqual(['dense', 'lexical']);
  });

  it('retrieveFragments requests four times as many candidates from the fragment store as results, and at least 50', async () => {
    const limits: number[] = [];
    const recordLimit = async (_: unknown, __: unknown, ___: unknown, limit: number): Promise<[]> => {
      limits.push(limit);
      return [];
    };
    const store = createFixedStore({ searchLexical: recordLimit, searchDense: recordLimit });
    for (const topK of [1, 12, 13, 100])
      await retrieveTexts(store, createRetrieval('x', { scope: createScope({}, EMBEDDING), topK }));
    expect(limits).toEqual([50, 50, 50, 50, 52, 52, 400, 400]);
  });

  it('retrieveFragments returns only fragments within the search scope', async () => {
    const store = await createStore([
      { fragments: ['apple one'], datasourceId: 's1', customId: 'c1' },
      { fragments: ['apple two'], datasourceId: 's2', customId: 'c2' },
      { fragments: ['apple three'], datastoreId: 'd2' },
      { fragments: ['apple four'], organizationId: 'o2' },
    ]);
    const listVisible = async (filters: object): Promise<string[]> =>
      (await retrieveTexts(store, createRetrieval('apple', { scope: createScope({ filters }) }))).toSorted();
    expect(await listVisible({})).toEqual(['apple one', 'apple two']);
    expect(await listVisible({ datasource_ids: ['s1'] })).toEqual(['apple one']);
    expect(await listVisible({ custom_ids: ['c2'] })).toEqual(['apple two']);
    expect(await listVisible({ custom_ids: ['c2'], datasource_ids: ['s1'] })).toEqual([]);
    expect(await listVisible({ custom_ids: [] })).toEqual([]);
    expect(await listVisible({ custom_ids: ['c2'], datasource_ids: [] })).toEqual([]);
  });

  it('retrieveFragments returns no fragments if the scope has no datastores', async () => {
    const store = await createStore([{ fragments: ['apple'] }]);
    expect(await retrieveTexts(store, createRetrieval('apple', { scope: createScope({ datastores: [] }) }))).toEqual(
      [],
    );
  });

  it('retrieveFragments searches datastores with different embedding settings in one call', async () => {
    const store = await createStore([{ fragments: ['apple by words'] }]);
    const vectors = await EMBEDDER.embedDocuments(['apple by meaning']);
    await store.replaceDocument(
      { embedding: EMBEDDING },
      {
        ...{ organizationId: 'o1', datastoreId: 'd2', datasourceId: 's9', documentKey: 'k', generation: 1 },
        ...{ contentHash: 'h', customId: null, source: null },
        fragments: [
          {
            text: 'apple by meaning',
            context: '',
            page: null,
            location: null,
            rectangles: [],
            tokens: 3,
            vector: vectors[0] ?? null,
          },
        ],
      },
    );
    const datastores = [{ id: 'd1' }, { id: 'd2', embedding: EMBEDDING }];
    const found = await retrieveTexts(store, createRetrieval('apple', { scope: createScope({ datastores }) }));
    expect(found.toSorted()).toEqual(['apple by meaning', 'apple by words']);
  });

  it('retrieveFragments returns at most the requested number of results', async () => {
    const store = await createStore(Array.from({ length: 9 }, (_, at) => ({ fragments: [`apple number ${at}`] })));
    expect(await retrieveTexts(store, createRetrieval('apple', { topK: 4 }))).toHaveLength(4);
  });

  it.each([
    ['is not configured', () => undefined],
    [
      'fails',
      () => ({
        ...EMBEDDER,
        embedQuery: async () => Promise.reject(new EmbeddingFailed('embedder_unavailable', 'unavailable')),
      }),
    ],
  ])('retrieveFragments falls back to lexical search if the embedder %s', async (_, getEmbedder) => {
    const store = await createStore([{ fragments: ['apple pie'] }], EMBEDDING);
    const found = await retrieveFragments(
      await createParts(store, { getEmbedder }),
      createRetrieval('apple', { scope: createScope({}, EMBEDDING) }),
      NEVER,
    );
    expect(found.fragments.map(({ text }) => text)).toEqual(['apple pie']);
    expect(found.notes).toEqual(['not_embedded']);
  });

  it('retrieveFragments throws KnowledgeUnavailable if the fragment store is unavailable', async () => {
    const cause = new Error('connection refused');
    const store = createFixedStore({ searchLexical: async () => Promise.reject(cause) });
    const error: unknown = await retrieveFragments(await createParts(store), createRetrieval('x'), NEVER).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(KnowledgeUnavailable);
    expect(error).toMatchObject({ cause });
  });

  it('retrieveFragments throws the caller’s abort reason even if the fragment store never responds', async () => {
    const caller = new AbortController();
    const store = createFixedStore({ searchLexical: async () => new Promise(() => undefined) });
    const retrieving = retrieveFragments(await createParts(store), createRetrieval('x'), caller.signal);
    const reason = new Error('the caller disconnected');
    caller.abort(reason);
    await expect(retrieving).rejects.toBe(reason);
  });
});
