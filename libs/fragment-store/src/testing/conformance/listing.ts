import { describe, expect, it } from 'vitest';
import type { Collection, DocumentRef, FragmentListing, FragmentStore } from '../../fragment-store.js';
import {
  SAMPLE_COLLECTION,
  createSampleDocument,
  createSampleFragment,
  createSampleVersion,
} from '../sample-documents.js';

const LARGE_DOCUMENT = 1_200;

/** Asserts that stored fragments are read in order, and that a listing returns the same fragments as searches. */
export function describeListing(store: () => FragmentStore): void {
  const writeDocument = (document: DocumentRef, texts: readonly string[], generation = 1): Promise<void> =>
    store().replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, texts, { generation }));

  const listTexts = async (
    document: DocumentRef,
    parts: Partial<FragmentListing> = {},
    collection: Collection = SAMPLE_COLLECTION,
  ): Promise<string[]> => {
    const { organizationId, datastoreId, datasourceId, documentKey } = document;
    const owner = { organizationId, datastoreId, datasourceId };
    const listing = { ...owner, documentKeys: [documentKey], firstOrdinal: 0, limit: 100, ...parts };
    return (await store().listFragments(collection, listing)).map(({ text }) => text);
  };

  describe('a list of fragments', () => {
    it('listFragments returns every field of each fragment as it was written', async () => {
      const document = createSampleDocument();
      const fragments = [
        createSampleFragment('The heron stands.', {
          ...{ context: 'Birds', page: 12, location: 'sheet A' },
          rectangles: [12, 1_000, 8_700, 8_000, 150],
        }),
        createSampleFragment('It flies.'),
      ];
      const version = createSampleVersion(document, [], { fragments, customId: 'c', source: 'https://example.com/' });
      await store().replaceDocument(SAMPLE_COLLECTION, version);
      const { organizationId, datastoreId, datasourceId, documentKey } = document;
      const found = await store().listFragments(SAMPLE_COLLECTION, {
        ...{ organizationId, datastoreId, datasourceId },
        ...{ documentKeys: [documentKey], firstOrdinal: 0, limit: 1 },
      });
      expect(found).toEqual([
        {
          id: expect.any(String) as string,
          ...{ datastoreId, datasourceId, documentKey, customId: 'c', source: 'https://example.com/' },
          ...{ version: expect.any(String) as string, generation: 1, page: 12, location: 'sheet A', ordinal: 0 },
          ...{ context: 'Birds', text: 'The heron stands.', rectangles: [12, 1_000, 8_700, 8_000, 150] },
        },
      ]);
    });

    it('listFragments returns documents in the order of `documentKeys`, and the fragments of each document by ordinal', async () => {
      const first = createSampleDocument({ documentKey: 'z' });
      const second = { ...first, documentKey: 'a' };
      await writeDocument(second, ['a0', 'a1', 'a2']);
      await writeDocument(first, ['z0', 'z1']);
      const documentKeys = ['z', 'missing', 'a'];
      expect(await listTexts(first, { documentKeys })).toEqual(['z0', 'z1', 'a0', 'a1', 'a2']);
      expect(await listTexts(first, { documentKeys, limit: 3 })).toEqual(['z0', 'z1', 'a0']);
      expect(await listTexts(first, { documentKeys, firstOrdinal: 1, limit: 2 })).toEqual(['z1', 'a0']);
      expect(await listTexts(first, { documentKeys, firstOrdinal: 2 })).toEqual(['a0', 'a1', 'a2']);
      expect(await listTexts(first, { documentKeys: [] })).toEqual([]);
      expect(await listTexts(first, { documentKeys, limit: 0 })).toEqual([]);
    });

    it('listFragments can list the fragments of a long document page by page', async () => {
      const document = createSampleDocument();
      const texts = Array.from({ length: LARGE_DOCUMENT }, (_, at) => `row ${String(at)}`);
      await writeDocument(document, texts);
      const pages: string[] = [];
      for (let firstOrdinal = 0; firstOrdinal < LARGE_DOCUMENT; firstOrdinal += 500)
        pages.push(...(await listTexts(document, { firstOrdinal, limit: 500 })));
      expect(pages).toEqual(texts);
    });

    it('listFragments returns only fragments of the newest version of a document', async () => {
      const document = createSampleDocument();
      await writeDocument(document, ['old 0', 'old 1', 'old 2']);
      await writeDocument(document, ['new 0'], 2);
      await writeDocument(document, ['stale'], 1);
      expect(await listTexts(document)).toEqual(['new 0']);
      await store().removeDocument(SAMPLE_COLLECTION, document, 2);
      expect(await listTexts(document)).toEqual([]);
    });

    it('listFragments returns no fragments of another organization, datastore, datasource or collection', async () => {
      const document = createSampleDocument();
      await writeDocument(document, ['ours']);
      expect(await listTexts({ ...document, organizationId: 'other' })).toEqual([]);
      expect(await listTexts({ ...document, datastoreId: 'other' })).toEqual([]);
      expect(await listTexts({ ...document, datasourceId: 'other' })).toEqual([]);
      const never: Collection = { embedding: { model: 'never listed', dimensions: 8, distance: 'cosine' } };
      expect(await listTexts(document, {}, never)).toEqual([]);
    });

    it('listFragments omits the documents and datasources in `excluded`', async () => {
      const document = createSampleDocument();
      await writeDocument(document, ['going'], 3);
      const hideGenerationsUpTo = (upTo: number): Partial<FragmentListing> => ({
        excluded: { datasourceIds: [], documents: [{ ...document, upTo }] },
      });
      expect(await listTexts(document, hideGenerationsUpTo(2))).toEqual(['going']);
      expect(await listTexts(document, hideGenerationsUpTo(3))).toEqual([]);
      const excluded = { datasourceIds: [document.datasourceId], documents: [] };
      expect(await listTexts(document, { excluded })).toEqual([]);
    });

    it('while a document is being replaced, listFragments returns the fragments of exactly one version', async () => {
      const document = createSampleDocument();
      const writeGeneration = (generation: number): Promise<void> =>
        writeDocument(document, Array<string>(8).fill(`generation ${String(generation)}`), generation);
      await writeGeneration(1);
      for (let generation = 2; generation <= 6; generation += 1) {
        const writing = writeGeneration(generation);
        const listed = await Promise.all([1, 2, 3].map(() => listTexts(document)));
        await writing;
        for (const texts of listed) {
          expect(texts).toHaveLength(8);
          expect(new Set(texts).size).toBe(1);
        }
      }
      expect(await listTexts(document)).toEqual(Array<string>(8).fill('generation 6'));
    });
  });
}
