import { describe, expect, it } from 'vitest';
import { computeCosine } from '../../cosine.js';
import type { DocumentRef, FragmentStore } from '../../fragment-store.js';
import { listTexts } from '../opened-store.js';
import {
  SAMPLE_COLLECTION,
  createSampleDocument,
  createSampleFragment,
  createSampleVector,
  createSampleVersion,
  createScope,
} from '../sample-documents.js';

/**
 * Lists unusual queries, such as queries with the operators of query languages. A search must treat each query as plain
 * text, and find a document that contains the word `heron`.
 */
const ODD_QUERIES = [
  'heron AND (b',
  'heron NOT',
  'foo:heron*',
  '"heron',
  "heron's 'nest",
  'heron\\',
  "heron'; DROP TABLE fragments; --",
  '+heron -nest ~2^3 [a TO b} /x/',
  'heron 🪶',
  '\u0000heron\u0000',
  'heron \ud800',
  '<b>heron</b> & {{heron}} ${heron}',
  'heron\r\n\u2028heron',
  `heron ${'lorem ipsum dolor '.repeat(6_000)}`,
  `heron ${Array.from({ length: 10_000 }, (_, at) => `w${String(at)}`).join(' ')}`,
];

const EMPTY_QUERIES = ['', ' ', '\u0000', '\n\t', '!?… — ()', '\ud800'];

/** Asserts that searches rank and limit their results, and that a lexical search treats every query as plain text. */
export function describeQuerySyntax(store: () => FragmentStore): void {
  const writeDocument = (document: DocumentRef, texts: readonly string[]): Promise<void> =>
    store().replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, texts));

  const searchTexts = async (document: DocumentRef, query: string, limit = 100): Promise<string[]> =>
    listTexts(await store().searchLexical(SAMPLE_COLLECTION, createScope(document), { text: query }, limit));

  describe('a lexical search', () => {
    it('a lexical search ranks a fragment higher if it contains more words of the query, or the rarer of two query words', async () => {
      const document = createSampleDocument();
      const filler = Array.from({ length: 20 }, (_, at) => `ordinary sentence number${String(at)}`);
      await writeDocument(document, [...filler, 'ordinary plover', 'ordinary plover in the dunes', 'the dunes']);
      expect(await searchTexts(document, 'plover dunes', 1)).toEqual(['ordinary plover in the dunes']);
      expect((await searchTexts(document, 'ordinary plover', 2)).sort()).toEqual([
        'ordinary plover',
        'ordinary plover in the dunes',
      ]);
    });

    it('a lexical search returns at most the requested number of fragments, with descending scores', async () => {
      const document = createSampleDocument();
      const texts = Array.from({ length: 9 }, (_, at) => `tern ${'tern '.repeat(at)}${'and '.repeat(9 - at)}`);
      await writeDocument(document, texts);
      const results = await store().searchLexical(SAMPLE_COLLECTION, createScope(document), { text: 'tern' }, 5);
      expect(results).toHaveLength(5);
      const scores = results.map((fragment) => fragment.score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      expect(await searchTexts(document, 'tern', 0)).toEqual([]);
    });

    it('a lexical search finds a fragment by a word of its context, such as a heading', async () => {
      const document = createSampleDocument();
      const fragments = [
        createSampleFragment('Wingspan 2 m.', { context: 'Handbook of albatrosses' }),
        createSampleFragment('x'),
      ];
      await store().replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, [], { fragments }));
      expect(await searchTexts(document, 'albatrosses')).toEqual(['Wingspan 2 m.']);
    });

    it('a lexical search ignores case and accents', async () => {
      const document = createSampleDocument();
      await writeDocument(document, ['Änderungen am Café', 'nothing']);
      for (const query of ['anderungen', 'ÄNDERUNGEN', 'cafe', 'CAFÉ']) {
        expect(await searchTexts(document, query)).toEqual(['Änderungen am Café']);
      }
    });

    it.each([
      ['東京', '明日は東京で会いましょう。'],
      ['图书馆', '这个城市有一个很大的公共图书馆。'],
      ['서울', '서울 날씨는 맑습니다.'],
      ['ประเทศไทย', 'ภาษาไทยเป็นภาษาราชการของประเทศไทย'],
      ['हिन्दी', 'यह हिन्दी में लिखा है।'],
      ['عربي', 'هذا نص عربي قصير'],
    ])('a lexical search finds the word %s in a sentence in a non-Latin script', async (query, text) => {
      const document = createSampleDocument();
      await writeDocument(document, [text, 'something else']);
      expect(await searchTexts(document, query)).toEqual([text]);
    });

    it.each(['ERR_CONN-42', '1.2.3', 'user@example.com', 'SKU-12/b', 'https://example.com/a/b?c=1', 'naïve–style'])(
      'a lexical search ranks a text with %s above a text with similar strings',
      async (query) => {
        const document = createSampleDocument();
        await writeDocument(document, [`about ${query} here`, 'about ERR_CONN-43, 1.2.4, other@example.org, SKU-13/c']);
        expect((await searchTexts(document, query))[0]).toBe(`about ${query} here`);
      },
    );

    it.each(ODD_QUERIES.map((query) => [query.slice(0, 40), query] as const))(
      'a lexical search treats %j as plain text',
      async (_, query) => {
        const document = createSampleDocument();
        await writeDocument(document, ['a heron', 'an egret']);
        expect((await searchTexts(document, query))[0]).toBe('a heron');
      },
    );

    it.each(EMPTY_QUERIES)('a lexical search returns no results for %j', async (query) => {
      const document = createSampleDocument();
      await writeDocument(document, ['a heron']);
      expect(await searchTexts(document, query)).toEqual([]);
    });

    it('the store accepts texts without words, and texts with invalid characters', async () => {
      const document = createSampleDocument();
      await writeDocument(document, ['— … —', 'nul \u0000 inside', 'half \ud800 pair', '👩‍👩‍👧']);
      const stored = await store().searchDense(SAMPLE_COLLECTION, createScope(document), createSampleVector('x'), 10);
      expect(
        listTexts(stored)
          .map((text) => text.toWellFormed())
          .sort(),
      ).toEqual(['— … —', 'nul \u0000 inside', 'half \ufffd pair', '👩‍👩‍👧'].sort());
      expect(await searchTexts(document, 'inside')).toEqual(['nul \u0000 inside']);
    });
  });

  describe('a dense search', () => {
    it('a dense search returns at most the requested number of fragments, best first, each with its cosine similarity', async () => {
      const document = createSampleDocument();
      const texts = Array.from({ length: 20 }, (_, at) => `curlew ${String(at)}`);
      await writeDocument(document, texts);
      const vector = createSampleVector('curlew 7');
      const results = await store().searchDense(SAMPLE_COLLECTION, createScope(document), vector, 6);
      expect(results).toHaveLength(6);
      expect(results[0]?.text).toBe('curlew 7');
      for (const { text, score } of results)
        expect(score).toBeCloseTo(computeCosine(vector, createSampleVector(text)), 2);
      const best = texts.map((text) => computeCosine(vector, createSampleVector(text))).sort((a, b) => b - a);
      expect(results[5]?.score).toBeCloseTo(best[5] ?? NaN, 2);
      expect(await store().searchDense(SAMPLE_COLLECTION, createScope(document), vector, 0)).toEqual([]);
    });
  });
}
