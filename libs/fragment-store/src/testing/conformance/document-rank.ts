import { describe, expect, it } from 'vitest';
import type { DocumentRef, FragmentStore, NewFragment } from '../../fragment-store.js';
import {
  createScope,
  SAMPLE_COLLECTION,
  createSampleDocument,
  createSampleFragment,
  createSampleVersion,
} from '../sample-documents.js';

const EQUAL = 'Revenue grew by a tenth against the year before.';

/** Asserts that a lexical search ranks a fragment higher if its document matches the query better. */
export function describeDocumentRank(store: () => FragmentStore): void {
  const writeDocument = (document: DocumentRef, fragments: readonly NewFragment[], generation = 1): Promise<void> => {
    const contentHash = fragments.map(({ context, text }) => `${context}/${text}`).join();
    return store().replaceDocument(
      SAMPLE_COLLECTION,
      createSampleVersion(document, [], { fragments, generation, contentHash }),
    );
  };

  /**
   * Searches for the query. Returns the keys of the documents whose fragment with the text `EQUAL` was found, best
   * first.
   */
  const rankEqualFragments = async (document: DocumentRef, query: string, limit = 20): Promise<string[]> => {
    const found = await store().searchLexical(SAMPLE_COLLECTION, createScope(document), { text: query }, limit);
    return found.filter(({ text }) => text === EQUAL).map(({ documentKey }) => documentKey);
  };

  /**
   * Creates two documents of one datastore. `other` has the smaller key, so a store that sorts by key would rank it
   * first.
   */
  const createDocuments = (): { other: DocumentRef; wanted: DocumentRef } => {
    const other = createSampleDocument({ documentKey: 'a' });
    return { other, wanted: { ...other, documentKey: 'b' } };
  };

  describe('the rank of equal fragments of different documents', () => {
    it.each([
      ['first line', createSampleFragment('Quarterly report of Heron Holdings')],
      ['heading', createSampleFragment('Contents', { context: 'Heron Holdings' })],
    ])(
      'if two documents contain equal fragments, the one in the document whose %s matches the query ranks higher',
      async (_, first) => {
        const { other, wanted } = createDocuments();
        const body = Array.from({ length: 8 }, (__, at) =>
          createSampleFragment(`paragraph${String(at)} about weather`),
        );
        await writeDocument(other, [
          createSampleFragment('Quarterly report of Egret Industries'),
          createSampleFragment(EQUAL),
          ...body,
        ]);
        await writeDocument(wanted, [first, createSampleFragment(EQUAL), ...body]);
        for (const limit of [1, 20]) {
          const [best] = await store().searchLexical(
            SAMPLE_COLLECTION,
            createScope(other),
            { text: 'heron revenue' },
            limit,
          );
          expect(best?.documentKey).toBe('b');
        }
        expect(await rankEqualFragments(other, 'How did the revenue of Heron grow?')).toEqual(['b', 'a']);
        expect((await rankEqualFragments(other, 'How did the revenue of Egret grow?'))[0]).toBe('a');
      },
    );

    it('if two documents contain equal fragments, the one in the document with more matching fragments ranks higher', async () => {
      const { other, wanted } = createDocuments();
      const opening = 'x '.repeat(400);
      const createBody = (word: string): NewFragment[] =>
        Array.from({ length: 6 }, (_, at) => createSampleFragment(`paragraph${String(at)} about ${word}`));
      await writeDocument(other, [createSampleFragment(opening), createSampleFragment(EQUAL), ...createBody('egret')]);
      await writeDocument(wanted, [createSampleFragment(opening), createSampleFragment(EQUAL), ...createBody('heron')]);
      expect(await rankEqualFragments(other, 'heron revenue')).toEqual(['b', 'a']);
    });

    it('a fragment ranks higher after its document was replaced by a version that matches the query better', async () => {
      const { other, wanted } = createDocuments();
      await writeDocument(other, [createSampleFragment('Egret Industries'), createSampleFragment(EQUAL)]);
      await writeDocument(wanted, [createSampleFragment('Heron Holdings'), createSampleFragment(EQUAL)]);
      expect((await rankEqualFragments(other, 'heron revenue'))[0]).toBe('b');
      await writeDocument(wanted, [createSampleFragment('Egret Industries'), createSampleFragment(EQUAL)], 2);
      await writeDocument(other, [createSampleFragment('Heron Holdings'), createSampleFragment(EQUAL)], 2);
      expect((await rankEqualFragments(other, 'heron revenue'))[0]).toBe('a');
    });

    it('each result of a lexical search contains `documentMatch`, which is relative to the best document', async () => {
      const { other, wanted } = createDocuments();
      await writeDocument(other, [createSampleFragment('Egret Industries'), createSampleFragment(EQUAL)]);
      await writeDocument(wanted, [createSampleFragment('Heron Holdings'), createSampleFragment(EQUAL)]);
      const found = await store().searchLexical(SAMPLE_COLLECTION, createScope(other), { text: 'heron revenue' }, 20);
      const matches = new Map(found.map(({ documentKey, documentMatch }) => [documentKey, documentMatch]));
      expect(matches.get('b')).toBe(1);
      expect(matches.get('a')).toBeGreaterThan(0);
      expect(matches.get('a')).toBeLessThan(1);
    });

    it('the rank of a fragment does not depend on documents outside the scope of the search', async () => {
      const { other, wanted } = createDocuments();
      await writeDocument(other, [createSampleFragment('Egret Industries'), createSampleFragment(EQUAL)]);
      await writeDocument(wanted, [createSampleFragment('Heron Holdings'), createSampleFragment(EQUAL)]);
      const strangers = Array.from({ length: 5 }, (_, at) =>
        createSampleDocument({ documentKey: `stranger${String(at)}`, organizationId: other.organizationId }),
      );
      for (const stranger of strangers)
        await writeDocument(stranger, [createSampleFragment('Heron Holdings'), createSampleFragment(EQUAL)]);
      expect(await rankEqualFragments(other, 'heron revenue')).toEqual(['b', 'a']);
    });
  });

  describe('the length of fragments', () => {
    /** Returns a text that contains `heron` `times` times, followed by `others` other words. */
    const createText = (times: number, others: number): string =>
      [...Array<string>(times).fill('heron'), ...Array.from({ length: others }, (_, at) => `word${String(at)}`)].join(
        ' ',
      );

    /**
     * Returns the score of a long fragment divided by that of a short fragment of the same document. Each further
     * fragment of the document contains `heron` and `othersLength` other words.
     */
    const measureRatio = async (othersLength: number): Promise<number> => {
      const [long, short] = [createText(3, 100), createText(1, 20)];
      const others = Array.from({ length: 6 }, (_, at) => `${createText(1, othersLength)} end${String(at)}`);
      const document = createSampleDocument();
      await writeDocument(
        document,
        [long, short, ...others].map((text) => createSampleFragment(text)),
      );
      const found = await store().searchLexical(SAMPLE_COLLECTION, createScope(document), { text: 'heron' }, 20);
      const scores = new Map(found.map(({ text, score }) => [text, score]));
      return (scores.get(long) ?? NaN) / (scores.get(short) ?? NaN);
    };

    it('the ratio of the scores of two fragments does not depend on the lengths of the other fragments that a search finds', async () => {
      const amongShort = await measureRatio(5);
      const amongLong = await measureRatio(800);
      expect(amongLong / amongShort).toBeCloseTo(1, 2);
    });
  });
}
