import { describe, expect, it } from 'vitest';
import type { DocumentRef, FragmentStore } from '../../fragment-store.js';
import { listTexts } from '../opened-store.js';
import { SAMPLE_COLLECTION, createSampleDocument, createSampleVersion, createScope } from '../sample-documents.js';

const KITCHEN = 'The kitchen of the house is white, and it has two windows in the wall.';
/** Contains `Whi` and `Kitch`, to which stemmers of languages other than English reduce `white kitchen`. */
const OTHER_STEMS = 'The Kitch and the Whi are on the table of the old man in the picture.';
const KÜCHE = 'Die Küche ist nicht groß, und in dem Haus sind auch die Fenster alt.';

/** Asserts that a lexical search stems a query of unclear language by the rules of the documents' languages. */
export function describeDocumentLanguages(store: () => FragmentStore): void {
  const storeTexts = async (owner: DocumentRef, texts: readonly string[]): Promise<void> => {
    for (const [at, text] of texts.entries())
      await store().replaceDocument(
        SAMPLE_COLLECTION,
        createSampleVersion({ ...owner, documentKey: `document-${String(at)}` }, [text]),
      );
  };
  const searchTexts = async (owner: DocumentRef, query: string): Promise<string[]> =>
    listTexts(await store().searchLexical(SAMPLE_COLLECTION, createScope(owner), { text: query }, 10));

  describe('a lexical search in a language that is unclear', () => {
    it('a query in an unclear language matches only stems in the language of the documents', async () => {
      const owner = createSampleDocument();
      await storeTexts(owner, [KITCHEN, OTHER_STEMS]);
      expect(await searchTexts(owner, 'white kitchens')).toEqual([KITCHEN]);
    });

    it('a query in an unclear language matches stems in each language that findLanguages returns for the documents', async () => {
      const owner = createSampleDocument();
      await storeTexts(owner, [KITCHEN, KÜCHE]);
      expect(await store().findLanguages(SAMPLE_COLLECTION, createScope(owner))).toEqual(['de', 'en']);
      const empty = createScope(createSampleDocument());
      expect(await store().findLanguages(SAMPLE_COLLECTION, empty)).toEqual([]);
      expect(await searchTexts(owner, 'white kitchens')).toEqual([KITCHEN]);
      expect(await searchTexts(owner, 'Küchen')).toEqual([KÜCHE]);
    });

    it('a query in an unclear language does not match stems in a language that only documents of other datastores have', async () => {
      const owner = createSampleDocument();
      await storeTexts(owner, [KITCHEN, OTHER_STEMS]);
      await storeTexts({ ...owner, datastoreId: createSampleDocument().datastoreId }, [KÜCHE, KÜCHE]);
      expect(await searchTexts(owner, 'white kitchens')).toEqual([KITCHEN]);
    });

    it('a query matches stems in all languages if both the language of the query and those of the documents are unclear', async () => {
      const owner = createSampleDocument();
      await storeTexts(owner, ['kitchen', 'Küche']);
      expect(await searchTexts(owner, 'kitchens')).toEqual(['kitchen']);
      expect(await searchTexts(owner, 'Küchen')).toEqual(['Küche']);
    });

    it('after documents were replaced by ones in another language, a query in an unclear language matches the new stems', async () => {
      const owner = createSampleDocument();
      await storeTexts(owner, [KÜCHE]);
      expect(await searchTexts(owner, 'kitchens')).toEqual([]);
      await storeTexts(owner, [KITCHEN]);
      expect(await searchTexts(owner, 'kitchens')).toEqual([KITCHEN]);
    });
  });
}
