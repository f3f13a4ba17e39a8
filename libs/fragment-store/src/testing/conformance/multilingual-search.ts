import { TEXTS_IN_LANGUAGES, splitIntoWords } from '@quarry/text-analysis/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FragmentStore } from '../../fragment-store.js';
import { listTexts } from '../opened-store.js';
import { SAMPLE_COLLECTION, createSampleDocument, createSampleVersion, createScope } from '../sample-documents.js';

/** Asserts that a lexical search finds texts of many languages, which are in one datastore, by their words. */
export function describeMultilingualSearch(store: () => FragmentStore): void {
  describe('a lexical search in any language', () => {
    const document = createSampleDocument();
    beforeAll(async () => {
      const texts = TEXTS_IN_LANGUAGES.map(({ text }) => text);
      await store().replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, texts));
    });

    it.each(TEXTS_IN_LANGUAGES)(
      'a lexical search finds a text in $language by its longest word, and ranks the text first if the query is the whole text',
      async ({ text }) => {
        const [longest = ''] = splitIntoWords(text).toSorted((a, b) => b.length - a.length);
        const searchTexts = async (query: string): Promise<string[]> =>
          listTexts(
            await store().searchLexical(
              SAMPLE_COLLECTION,
              createScope(document),
              { text: query },
              TEXTS_IN_LANGUAGES.length,
            ),
          );
        expect(await searchTexts(longest)).toContain(text);
        expect((await searchTexts(text))[0]).toBe(text);
      },
    );

    it.each([
      ['Wo finde ich die Rechnungen?', 'The Rechnungen folder is on the second shelf.'],
      ['Where are the Batteries of this?', 'Die Marke heißt „Batteries“ und ist in der Stadt bekannt.'],
      ['¿Dónde están las Canciones?', 'The Canciones list is on the wall.'],
      ['Où sont les Änderungen?', 'The file with the Änderungen is not here.'],
    ])(
      'a lexical search finds a text that contains a word of the query unchanged, but is in another language: %j',
      async (query, text) => {
        const other = createSampleDocument();
        await store().replaceDocument(SAMPLE_COLLECTION, createSampleVersion(other, [text, 'something else']));
        const found = await store().searchLexical(SAMPLE_COLLECTION, createScope(other), { text: query }, 10);
        expect(listTexts(found)).toEqual([text]);
      },
    );

    it('a lexical search ranks the text with the queried form of a word first, and also finds texts with other forms', async () => {
      const other = createSampleDocument();
      const texts = ['The battery of the camera.', 'The batteries of the camera.'];
      await store().replaceDocument(SAMPLE_COLLECTION, createSampleVersion(other, texts));
      const searchTexts = async (query: string): Promise<string[]> =>
        listTexts(await store().searchLexical(SAMPLE_COLLECTION, createScope(other), { text: query }, 10));
      expect(await searchTexts('What are the batteries?')).toEqual(texts.toReversed());
      expect(await searchTexts('What is the battery?')).toEqual(texts);
    });

    it('a lexical search ranks the text with the accents of the query first, and also finds texts with other accents', async () => {
      const other = createSampleDocument();
      const texts = ['ma', 'má', 'mà'];
      await store().replaceDocument(SAMPLE_COLLECTION, createSampleVersion(other, texts));
      const searchTexts = async (query: string): Promise<string[]> =>
        listTexts(await store().searchLexical(SAMPLE_COLLECTION, createScope(other), { text: query }, 10));
      for (const text of texts) {
        const found = await searchTexts(text);
        expect(found[0]).toBe(text);
        expect(found).toHaveLength(texts.length);
      }
    });
  });
}
