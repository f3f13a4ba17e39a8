import { describe, expect, it } from 'vitest';
import type { Collection, DocumentRef, FragmentStore } from '../../fragment-store.js';
import { listTexts } from '../opened-store.js';
import {
  SAMPLE_COLLECTION,
  createSampleDocument,
  createSampleVector,
  createSampleVersion,
  createScope,
} from '../sample-documents.js';

/** Asserts that a removal removes exactly the specified content, except content of newer generations. */
export function describeRemoving(store: () => FragmentStore): void {
  const writeDocument = (document: DocumentRef, texts: readonly string[], generation = 1): Promise<void> =>
    store().replaceDocument(SAMPLE_COLLECTION, createSampleVersion(document, texts, { generation }));

  const listStored = async (document: DocumentRef): Promise<string[]> =>
    listTexts(await store().searchDense(SAMPLE_COLLECTION, createScope(document), createSampleVector('x'), 100)).sort();

  describe('removing content', () => {
    it('removeDocument removes all fragments of one document, and no other document', async () => {
      const document = createSampleDocument();
      const neighbour = { ...document, documentKey: 'neighbour' };
      await writeDocument(document, ['dove one', 'dove two']);
      await writeDocument(neighbour, ['dove three']);
      await store().removeDocument(SAMPLE_COLLECTION, document, 1);
      expect(await listStored(document)).toEqual(['dove three']);
      expect(await store().searchLexical(SAMPLE_COLLECTION, createScope(document), { text: 'dove' }, 10)).toHaveLength(
        1,
      );
      expect(await store().readStoredDocument(SAMPLE_COLLECTION, document)).toBeUndefined();
      expect(await store().readStoredDocument(SAMPLE_COLLECTION, neighbour)).toBeDefined();
    });

    it('removeDatasource removes the documents of one datasource from every datastore', async () => {
      const document = createSampleDocument();
      const second = { ...document, documentKey: 'second' };
      const elsewhere = { ...document, datastoreId: `${document.datastoreId}-other` };
      const other = { ...document, documentKey: 'third', datasourceId: 'other' };
      for (const each of [document, second, elsewhere, other]) await writeDocument(each, [each.documentKey]);
      await store().removeDatasource(SAMPLE_COLLECTION, document);
      expect(await listStored(document)).toEqual(['third']);
      expect(await listStored(elsewhere)).toEqual([]);
      expect(await store().readStoredDocument(SAMPLE_COLLECTION, second)).toBeUndefined();
    });

    it('removeDatastore removes all documents of one datastore, and no documents of other datastores', async () => {
      const document = createSampleDocument();
      const second = { ...document, documentKey: 'second', datasourceId: 'other' };
      const elsewhere = { ...document, datastoreId: `${document.datastoreId}-other` };
      for (const each of [document, second, elsewhere]) await writeDocument(each, ['grebe']);
      await store().removeDatastore(SAMPLE_COLLECTION, document);
      expect(await listStored(document)).toEqual([]);
      expect(await listStored(elsewhere)).toEqual(['grebe']);
      expect(await store().readStoredDocument(SAMPLE_COLLECTION, second)).toBeUndefined();
    });

    it('a removal succeeds if there is nothing to remove', async () => {
      const document = createSampleDocument();
      const never: Collection = { embedding: { model: 'never removed from', dimensions: 8, distance: 'cosine' } };
      for (const collection of [SAMPLE_COLLECTION, never]) {
        await store().removeDocument(collection, document, 1);
        await store().removeDatasource(collection, document);
        await store().removeDatastore(collection, document);
        expect(await store().searchLexical(collection, createScope(document), { text: 'anything' }, 10)).toEqual([]);
      }
    });

    it('removeDocument does not remove a document that a newer generation has stored or confirmed', async () => {
      const [stays, confirmed] = [createSampleDocument(), createSampleDocument()];
      await writeDocument(stays, ['loon one', 'loon two'], 7);
      await store().removeDocument(SAMPLE_COLLECTION, stays, 6);
      expect(await listStored(stays)).toEqual(['loon one', 'loon two']);

      const version = createSampleVersion(confirmed, ['loon three', 'loon four'], { generation: 4 });
      await store().replaceDocument(SAMPLE_COLLECTION, version);
      const found = { generation: 6, contentHash: version.contentHash };
      await store().confirmDocument(SAMPLE_COLLECTION, confirmed, found);
      await store().removeDocument(SAMPLE_COLLECTION, confirmed, 5);
      expect(await listStored(confirmed)).toEqual(['loon four', 'loon three']);
      expect(await store().readStoredDocument(SAMPLE_COLLECTION, confirmed)).toMatchObject({ fragments: 2 });
      await store().removeDocument(SAMPLE_COLLECTION, confirmed, 6);
      expect(await listStored(confirmed)).toEqual([]);
      expect(await store().readStoredDocument(SAMPLE_COLLECTION, confirmed)).toBeUndefined();
    });

    it('after a removal, a replacement of the same or an older generation has no effect, and a newer replacement succeeds', async () => {
      const document = createSampleDocument();
      const old = createSampleVersion(document, ['grebe one', 'grebe two'], { generation: 3 });
      await store().replaceDocument(SAMPLE_COLLECTION, old);
      await store().removeDocument(SAMPLE_COLLECTION, document, 5);
      await store().removeDocument(SAMPLE_COLLECTION, document, 4);
      for (const generation of [3, 4, 5]) {
        await writeDocument(document, ['a late grebe'], generation);
        const found = { generation, contentHash: old.contentHash };
        expect(await store().confirmDocument(SAMPLE_COLLECTION, document, found)).toBe(false);
      }
      expect(await listStored(document)).toEqual([]);
      expect(await store().readStoredDocument(SAMPLE_COLLECTION, document)).toBeUndefined();
      await writeDocument(document, ['a new grebe'], 6);
      expect(await listStored(document)).toEqual(['a new grebe']);
      expect(await store().readStoredDocument(SAMPLE_COLLECTION, document)).toMatchObject({ generation: 6 });
    });
  });
}
