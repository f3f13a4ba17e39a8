import { extractTerms, weighQueryTerms } from '@quarry/text-analysis';
import { describe, expect, it } from 'vitest';
import { computeBm25Scores } from '../bm25.js';
import type { OpenedFragmentStore } from '../opened-store.js';
import {
  createScope,
  SAMPLE_COLLECTION,
  createSampleDocument,
  createSampleFragment,
  createSampleVector,
  createSampleVersion,
} from '../sample-documents.js';

/** Number of stored fragments: several times as many as a store reads at once. */
const FRAGMENTS = 2_400;
const EXACT = 0.0005;
const QUERY = 'avocet dunlin whimbrel';

/** Asserts that stores compute the scores of BM25, and return fragments with equal scores in the same order. */
export function describeLexicalScores(opened: () => OpenedFragmentStore): void {
  describe('the scores of a lexical search', () => {
    it('the scores of a lexical search are those of BM25 with the term frequencies of all fragments and the reference length', async () => {
      const { store, waitUntilIndexed, scoreTolerance = EXACT } = opened();
      const document = createSampleDocument();
      const texts = Array.from({ length: FRAGMENTS }, (_, at) => createText(at));
      await store.replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, texts));
      await waitUntilIndexed?.();
      const found = await store.searchLexical(SAMPLE_COLLECTION, createScope(document), { text: QUERY }, 50);
      const languages = await store.findLanguages(SAMPLE_COLLECTION, createScope(document));
      const { context } = createSampleFragment('');
      const terms = texts.map((text) => extractTerms(`${context}\n${text}`));
      const scores = computeBm25Scores(terms, weighQueryTerms(QUERY, languages));
      expect(found).toHaveLength(50);
      const best = [...scores].sort((one, other) => other - one);
      for (const [at, { ordinal, score }] of found.entries()) {
        expect(Math.abs(score / (scores[ordinal] ?? NaN) - 1)).toBeLessThan(scoreTolerance);
        if (at < 10) expect(Math.abs(score / (best[at] ?? NaN) - 1)).toBeLessThan(scoreTolerance);
      }
    });

    it('if a lexical query has a vector, the `similarity` of each result equals the score that a dense search returns', async () => {
      const { store } = opened();
      const document = createSampleDocument();
      const scope = createScope(document);
      const texts = ['a dunlin', 'a dunlin and a dunlin', 'a whimbrel', 'a dunlin on a rock'];
      await store.replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, texts));
      const vector = createSampleVector('waders');
      const found = await store.searchLexical(SAMPLE_COLLECTION, scope, { text: 'dunlin', vector }, 10);
      const nearest = await store.searchDense(SAMPLE_COLLECTION, scope, vector, 10);
      const scores = new Map(nearest.map(({ id, score }) => [id, score]));
      expect(found).toHaveLength(3);
      for (const { id, similarity } of found) expect(similarity).toBeCloseTo(scores.get(id) ?? NaN, 3);
      const plain = await store.searchLexical(SAMPLE_COLLECTION, scope, { text: 'dunlin' }, 10);
      expect(plain.map(({ id, score }) => ({ id, score }))).toEqual(found.map(({ id, score }) => ({ id, score })));
      for (const fragment of plain) expect(fragment).not.toHaveProperty('similarity');
    });

    it('a lexical search returns fragments with equal scores in the order of their generations, newest first', async () => {
      const { store } = opened();
      const oldest = createSampleDocument({ documentKey: 'a' });
      const texts = ['an avocet', 'a stint'];
      for (const [at, documentKey] of ['a', 'f', 'b', 'e', 'd', 'c'].entries()) {
        const version = createSampleVersion({ ...oldest, documentKey }, texts, { generation: at + 1 });
        await store.replaceDocument(SAMPLE_COLLECTION, version);
      }
      const found = await store.searchLexical(SAMPLE_COLLECTION, createScope(oldest), { text: 'avocet' }, 20);
      expect(found.map(({ documentKey }) => documentKey)).toEqual(['c', 'd', 'e', 'b', 'f', 'a']);
    });
  });
}

/** Returns a text that contains some words of the query up to four times each, and 10 to 200 other words. */
function createText(at: number): string {
  const repeat = (word: string, every: number): string[] =>
    at % every === 0 ? Array<string>(1 + (Math.floor(at / every) % 4)).fill(word) : [];
  const others = Array.from({ length: 10 + ((at * 37) % 191) }, (_, word) => `word${String(word)}`);
  return [...repeat('avocet', 7), ...repeat('dunlin', 11), ...repeat('whimbrel', 401), ...others].join(' ');
}
