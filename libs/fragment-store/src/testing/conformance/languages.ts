import { TEXTS_IN_LANGUAGES, wordsOfText } from '@quarry/text-analysis/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FragmentStore } from '../../fragment-store.js';
import { textsOf } from '../opened-store.js';
import { SAMPLE_COLLECTION, sampleDocument, sampleVersion, scopeOf } from '../sample-documents.js';

/** Asserts that texts in any language, side by side in one datastore, are found by their words. */
export function describeLanguages(store: () => FragmentStore): void {
  describe('a search by words in any language', () => {
    const document = sampleDocument();
    beforeAll(async () => {
      const texts = TEXTS_IN_LANGUAGES.map(({ text }) => text);
      await store().replaceDocument(SAMPLE_COLLECTION, sampleVersion(document, texts));
    });

    it.each(TEXTS_IN_LANGUAGES)(
      'finds the text by its longest word, and first by itself ($language)',
      async ({ text }) => {
        const [longest = ''] = wordsOfText(text).toSorted((a, b) => b.length - a.length);
        const search = async (query: string): Promise<string[]> =>
          textsOf(await store().searchLexical(SAMPLE_COLLECTION, scopeOf(document), query, TEXTS_IN_LANGUAGES.length));
        expect(await search(longest)).toContain(text);
        expect((await search(text))[0]).toBe(text);
      },
    );
  });
}
