import type { SearchRequest, SearchTrace } from '@quarry/contracts';
import type { FragmentStore, ScoredFragment } from '@quarry/fragment-store';
import { createLog } from '@quarry/service-kit';
import { describe, expect, it } from 'vitest';
import { createInMemoryQueryParts } from '../testing/in-memory-query-parts.js';
import { createScope, createScoredFragment, createStore, EMBEDDING } from '../testing/knowledge.js';
import type { ContextParts } from '../testing/query-context.js';
import { findFragments } from './find-fragments.js';
import { SearchRecorder } from './search-recorder.js';

const CALL = { log: createLog('test', 'silent'), signal: new AbortController().signal };
const { organizationId, datastores } = createScope({}, EMBEDDING);
const REQUEST = { organizationId, datastores, query: 'warranty', topK: 4, explain: true };

/** Creates a store whose searches return the given fragments. */
function createFixedStore(lexical: readonly ScoredFragment[], dense: readonly ScoredFragment[] = []): FragmentStore {
  const findLanguages = async (): Promise<readonly string[]> => [];
  return {
    ...({} as FragmentStore),
    searchLexical: async () => lexical,
    searchDense: async () => dense,
    findLanguages,
  };
}

async function explainSearch(parts: ContextParts, request: SearchRequest = REQUEST): Promise<SearchTrace> {
  const { explanation } = await findFragments(await createInMemoryQueryParts(parts), request, CALL);
  if (explanation === undefined) throw new Error('expected an explanation, found none');
  return explanation;
}

function listDropped({ dropped }: SearchTrace): (readonly [string, string])[] {
  return dropped.map(({ fragment, reason }) => [fragment.fragmentId, reason]);
}

describe('an explained search', () => {
  it('a search with `explain` returns the score and rank of each result in each stage', async () => {
    const both = createScoredFragment('both');
    const lexical = [
      { ...createScoredFragment('words'), score: 8 },
      { ...both, score: 6 },
    ];
    const reranking = {
      reranker: { model: 'test', rerank: async (): Promise<readonly number[]> => [0.2, 0.7] },
      candidates: 2,
      timeoutMs: 5_000,
    };
    const { results } = await explainSearch({
      fragmentStore: createFixedStore(lexical, [{ ...both, score: 0.9 }, createScoredFragment('last', { score: 0.1 })]),
      reranking,
    });
    expect(results.map(({ fragment_id }) => fragment_id)).toEqual(['words', 'both', 'last']);
    expect(results[1]).toMatchObject({
      document_key: both.documentKey,
      lexical: { score: 6, rank: 2 },
      dense: { score: 0.9, rank: 1 },
      fused: { rank: 1 },
      reranked: { score: 0.2, rank: 2 },
    });
    expect(results[2]).toMatchObject({ lexical: null, dense: { score: 0.1, rank: 2 }, reranked: null });
  });

  it('if only the lexical search found a result, a search with `explain` returns its vector similarity as its `dense` score', async () => {
    const lexical = [createScoredFragment('words', { score: 8, similarity: 0.6 })];
    const dense = [createScoredFragment('near', { score: 0.9 }), createScoredFragment('far', { score: 0.5 })];
    const { results } = await explainSearch({ fragmentStore: createFixedStore(lexical, dense) });
    expect(results.find(({ lexical: found }) => found !== null)).toMatchObject({ dense: { score: 0.6, rank: 2 } });
    expect(results.map(({ dense: found }) => found?.rank).toSorted()).toEqual([1, 2, 3]);
  });

  it('a search with `explain` returns the terms and languages of the query, the searched lists and the stages', async () => {
    const fragmentStore = await createStore([{ fragments: ['The warranty lasts two years.'] }], EMBEDDING);
    const { query, lists, stages } = await explainSearch(
      { fragmentStore },
      { ...REQUEST, query: 'what are the warranties?' },
    );
    expect(query).toEqual({ text: 'what are the warranties?', terms: ['warranti'], languages: ['en'] });
    expect(lists.map(({ kind, weight, found }) => [kind, weight, found])).toEqual(
      expect.arrayContaining([
        ['dense', 0.6, 1],
        ['lexical', 0.4, 1],
      ]),
    );
    expect(stages.map(({ stage }) => stage)).toEqual(['embed', 'search', 'fuse', 'select']);
  });

  it('if the language of a query is unclear, a search with `explain` returns the language of the documents, and the terms in this language', async () => {
    const fragmentStore = await createStore([
      { fragments: ['The total of the net sales is in the table of the report.'] },
    ]);
    const { datastores: withoutVectors } = createScope();
    const { query } = await explainSearch(
      { fragmentStore },
      { ...REQUEST, datastores: withoutVectors, query: 'total net sales of services' },
    );
    expect(query).toMatchObject({ terms: ['total', 'net', 'sale', 'servic'], languages: ['en'] });
  });

  it('a search with `explain` lists dropped fragments: superseded versions, duplicates, and fragments after the first `topK`', async () => {
    const old = createScoredFragment('old text', { documentKey: 'd', generation: 1, version: 'v1', score: 9 });
    const recent = createScoredFragment('new text', { documentKey: 'd', generation: 2, version: 'v2', score: 0.9 });
    const lexical = [old, createScoredFragment('Red shoes', { score: 8 }), createScoredFragment('red', { score: 7 })];
    const more = ['one', 'two', 'three'].map((text, at) => createScoredFragment(text, { score: 6 - at }));
    const explanation = await explainSearch({ fragmentStore: createFixedStore([...lexical, ...more], [recent]) });
    expect(listDropped(explanation)).toEqual([
      ['red', 'duplicate'],
      ['old text', 'superseded_version'],
      ['three', 'rank_cut'],
    ]);
    expect(explanation.dropped[0]?.duplicateOf).toBe('Red shoes');
    expect(explanation.dropped[1]?.scores).toMatchObject({ lexical: { score: 9, rank: 1 }, fused: null });
    expect(explanation.droppedCounts).toEqual([
      { reason: 'superseded_version', count: 1 },
      { reason: 'duplicate', count: 1 },
      { reason: 'rank_cut', count: 1 },
    ]);
  });

  it('a search with `explain` lists as dropped a fragment beyond the limit per document, or the result that such a fragment displaces', async () => {
    const createDocument = (key: string, scores: readonly number[]): readonly ScoredFragment[] =>
      scores.map((score, at) => createScoredFragment(`${key} ${at}`, { documentKey: key, score }));
    const close = createFixedStore([...createDocument('a', [9, 8, 7, 6]), createScoredFragment('b', { score: 5 })]);
    expect(listDropped(await explainSearch({ fragmentStore: close }))).toEqual([['a 3', 'document_limit']]);
    const distant = createFixedStore([...createDocument('a', [9, 8, 7, 6]), createScoredFragment('b', { score: 1 })]);
    expect(listDropped(await explainSearch({ fragmentStore: distant }))).toEqual([['b', 'displaced']]);
  });

  it('a search with `explain` lists at most 50 dropped fragments with shortened texts, and counts all dropped fragments', async () => {
    const filler = ' and more'.repeat(100);
    const found = Array.from({ length: 80 }, (_, at) =>
      createScoredFragment(`number ${at}${filler}`, { score: 90 - at }),
    );
    const { results, dropped, droppedCounts } = await explainSearch({ fragmentStore: createFixedStore(found) });
    expect(results).toHaveLength(4);
    expect(dropped).toHaveLength(50);
    expect(dropped[0]?.fragment.text).toHaveLength(300);
    expect(droppedCounts).toEqual([{ reason: 'rank_cut', count: 76 }]);
  });

  it('a search returns the same fragments with and without an explanation', async () => {
    const documents = ['warranty of one year', 'the warranty', 'no warranty for water'].map((text) => ({
      fragments: [text],
    }));
    const parts = await createInMemoryQueryParts({ fragmentStore: await createStore(documents, EMBEDDING) });
    const { explanation, ...explained } = await findFragments(parts, REQUEST, CALL);
    expect(explanation?.results).toHaveLength(explained.fragments.length);
    expect(await findFragments(parts, { ...REQUEST, explain: false }, CALL)).toEqual(explained);
  });
});

describe('SearchRecorder', () => {
  it('SearchRecorder measures each stage from its start to the start of the next one', () => {
    let now = 100;
    const recorder = new SearchRecorder('q', () => now);
    recorder.startStage('search');
    const endList = recorder.startList({ kind: 'lexical', text: 'q', weight: 1 });
    now += 7;
    endList(0);
    now += 5.5;
    recorder.startStage('select');
    now += 0.25;
    recorder.endStages();
    const { stages, lists } = recorder.build([], () => {
      throw new Error('expected no dropped fragment, found one');
    });
    expect(stages).toEqual([
      { stage: 'search', ms: 12.5 },
      { stage: 'select', ms: 0.25 },
    ]);
    expect(lists[0]?.ms).toBe(7);
  });
});
