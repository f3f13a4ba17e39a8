import { describe, expect, it } from 'vitest';
import { DimensionMismatch } from '../../dimension-mismatch.js';
import type { Collection, FragmentStore } from '../../fragment-store.js';
import { computeFragmentId } from '../../identity.js';
import { listTexts } from '../opened-store.js';
import {
  SAMPLE_COLLECTION,
  createSampleDocument,
  createSampleFragment,
  createSampleVector,
  createSampleVersion,
  createScope,
  WORDS_COLLECTION,
} from '../sample-documents.js';

const LARGE_DOCUMENT = 5_000;

/** Asserts that a store returns content as it was written, and rejects vectors of the wrong length. */
export function describeReading(store: () => FragmentStore): void {
  describe('stored content', () => {
    it('lexical and dense search find stored content, with all fields as they were written', async () => {
      const document = createSampleDocument();
      const vector = createSampleVector('a heron');
      const fragments = [
        createSampleFragment('The heron stands still.', {
          ...{ context: 'Birds > Waders', page: 12, tokens: 6, vector },
          rectangles: [12, 1_000, 8_700, 8_000, 150, 13, 0, 0, 10_000, 10_000],
        }),
        createSampleFragment('Nothing of interest.', { location: 'sheet Prices, rows 40–80', tokens: 5 }),
      ];
      const version = createSampleVersion(document, [], {
        fragments,
        customId: 'c-1',
        source: 'https://example.com/b?x=1',
      });
      await store().replaceDocument(SAMPLE_COLLECTION, version);

      const [byWords] = await store().searchLexical(SAMPLE_COLLECTION, createScope(document), { text: 'heron' }, 10);
      expect(byWords).toEqual({
        id: expect.any(String) as string,
        datastoreId: document.datastoreId,
        datasourceId: document.datasourceId,
        documentKey: document.documentKey,
        customId: 'c-1',
        source: 'https://example.com/b?x=1',
        page: 12,
        location: null,
        rectangles: [12, 1_000, 8_700, 8_000, 150, 13, 0, 0, 10_000, 10_000],
        version: expect.any(String) as string,
        generation: 1,
        ordinal: 0,
        context: 'Birds > Waders',
        text: 'The heron stands still.',
        score: expect.any(Number) as number,
        documentMatch: 1,
      });
      expect(byWords?.score).toBeGreaterThan(0);

      const [byVector, other] = await store().searchDense(SAMPLE_COLLECTION, createScope(document), vector, 10);
      expect({ ...byVector, score: 0, documentMatch: 1 }).toEqual({ ...byWords, score: 0 });
      expect(other).toMatchObject({
        ordinal: 1,
        page: null,
        location: 'sheet Prices, rows 40–80',
        context: '',
        rectangles: [],
      });
    });

    it('readStoredDocument returns the generation, the content hash, and the numbers of fragments and tokens of a document', async () => {
      const document = createSampleDocument();
      const fragments = [createSampleFragment('one', { tokens: 7 }), createSampleFragment('two', { tokens: 5 })];
      const version = createSampleVersion(document, [], {
        fragments,
        generation: 1_763_700_000_123,
        contentHash: 'sha256:ab',
      });
      await store().replaceDocument(SAMPLE_COLLECTION, version);
      expect(await store().readStoredDocument(SAMPLE_COLLECTION, document)).toEqual({
        generation: 1_763_700_000_123,
        firstFragmentId: computeFragmentId(version, 0),
        contentHash: 'sha256:ab',
        fragments: 2,
        tokens: 12,
      });
    });

    it('readStoredDocument and searches find nothing if a datastore is empty or the collection was never written', async () => {
      const document = createSampleDocument();
      const never: Collection = { embedding: { model: 'never written', dimensions: 8, distance: 'cosine' } };
      for (const collection of [SAMPLE_COLLECTION, never]) {
        expect(await store().readStoredDocument(collection, document)).toBeUndefined();
        expect(await store().searchLexical(collection, createScope(document), { text: 'heron' }, 10)).toEqual([]);
        expect(await store().searchDense(collection, createScope(document), createSampleVector('x'), 10)).toEqual([]);
      }
    });

    it('a document of thousands of fragments is stored completely, and can be replaced by one fragment', async () => {
      const document = createSampleDocument();
      const texts = Array.from({ length: LARGE_DOCUMENT }, (_, at) => `row${String(at)} of a large table of gulls`);
      await store().replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, texts));
      expect(await store().readStoredDocument(SAMPLE_COLLECTION, document)).toMatchObject({
        fragments: LARGE_DOCUMENT,
      });
      for (const at of [0, LARGE_DOCUMENT - 1]) {
        const found = await store().searchLexical(
          SAMPLE_COLLECTION,
          createScope(document),
          { text: `row${String(at)}` },
          5,
        );
        expect(found.map((fragment) => fragment.ordinal)).toEqual([at]);
      }
      expect(
        await store().searchLexical(SAMPLE_COLLECTION, createScope(document), { text: 'gulls' }, 1_000),
      ).toHaveLength(1_000);

      await store().replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, ['one gull'], { generation: 2 }));
      expect(
        listTexts(await store().searchLexical(SAMPLE_COLLECTION, createScope(document), { text: 'gulls gull' }, 10)),
      ).toEqual(['one gull']);
      expect(
        listTexts(await store().searchDense(SAMPLE_COLLECTION, createScope(document), createSampleVector('x'), 10)),
      ).toEqual(['one gull']);
    });

    it('lexical search finds content of a collection without embedding', async () => {
      const document = createSampleDocument();
      const fragments = [createSampleFragment('a sparrow without a vector', { vector: null })];
      await store().replaceDocument(WORDS_COLLECTION, createSampleVersion(document, [], { fragments }));
      const found = await store().searchLexical(WORDS_COLLECTION, createScope(document), { text: 'sparrow' }, 10);
      expect(listTexts(found)).toEqual(['a sparrow without a vector']);
      expect(await store().searchLexical(SAMPLE_COLLECTION, createScope(document), { text: 'sparrow' }, 10)).toEqual(
        [],
      );
    });
  });

  describe('a vector of the wrong length', () => {
    it.each([
      ['shorter', new Float32Array(7)],
      ['longer', new Float32Array(9)],
      ['missing', null],
    ])(
      'replaceDocument writes no part of a document if a vector has the wrong length or is missing (vector: %s)',
      async (_, vector) => {
        const document = createSampleDocument();
        const fragments = [createSampleFragment('a good one'), createSampleFragment('a bad one', { vector })];
        const refused = store().replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, [], { fragments }));
        await expect(refused).rejects.toBeInstanceOf(DimensionMismatch);
        await expect(refused).rejects.toMatchObject({ expected: 8, found: vector?.length ?? 0 });
        expect(await store().readStoredDocument(SAMPLE_COLLECTION, document)).toBeUndefined();
        expect(await store().searchLexical(SAMPLE_COLLECTION, createScope(document), { text: 'one' }, 10)).toEqual([]);
      },
    );

    it('searchDense and searchLexical reject a vector of the wrong length, even if the collection is empty', async () => {
      const document = createSampleDocument();
      const never: Collection = { embedding: { model: 'never searched', dimensions: 8, distance: 'cosine' } };
      const vector = new Float32Array(4);
      for (const collection of [SAMPLE_COLLECTION, never]) {
        const scope = createScope(document);
        await expect(store().searchDense(collection, scope, vector, 10)).rejects.toBeInstanceOf(DimensionMismatch);
        const query = { text: 'one', vector };
        await expect(store().searchLexical(collection, scope, query, 10)).rejects.toBeInstanceOf(DimensionMismatch);
      }
    });

    it('a collection without embedding rejects every vector', async () => {
      const refused = store().replaceDocument(WORDS_COLLECTION, createSampleVersion(createSampleDocument(), ['text']));
      await expect(refused).rejects.toBeInstanceOf(DimensionMismatch);
    });
  });

  it('replaceDocument rejects a document without fragments, because removeDocument must be used instead', async () => {
    const document = createSampleDocument();
    await expect(store().replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, []))).rejects.toThrow(
      'at least one fragment',
    );
  });
}
