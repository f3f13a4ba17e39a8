import { describe, expect, it } from 'vitest';
import type { Collection, DocumentRef, FragmentStore } from '../../fragment-store.js';
import { textsOf } from '../opened-store.js';
import { SAMPLE_COLLECTION, sampleDocument, sampleVector, sampleVersion, scopeOf } from '../sample-documents.js';

export function describeRemoving(store: () => FragmentStore): void {
  const write = (document: DocumentRef, texts: readonly string[], generation = 1): Promise<void> =>
    store().replaceDocument(SAMPLE_COLLECTION, sampleVersion(document, texts, { generation }));

  const stored = async (document: DocumentRef): Promise<string[]> =>
    textsOf(await store().searchDense(SAMPLE_COLLECTION, scopeOf(document), sampleVector('x'), 100)).sort();

  describe('removing', () => {
    it('takes a document away, whole and alone', async () => {
      const document = sampleDocument();
      const neighbour = { ...document, documentKey: 'neighbour' };
      await write(document, ['dove one', 'dove two']);
      await write(neighbour, ['dove three']);
      await store().removeDocument(SAMPLE_COLLECTION, document);
      expect(await stored(document)).toEqual(['dove three']);
      expect(await store().searchLexical(SAMPLE_COLLECTION, scopeOf(document), 'dove', 10)).toHaveLength(1);
      expect(await store().describeDocument(SAMPLE_COLLECTION, document)).toBeUndefined();
      expect(await store().describeDocument(SAMPLE_COLLECTION, neighbour)).toBeDefined();
    });

    it('takes a datasource away, in every datastore, and no other', async () => {
      const document = sampleDocument();
      const second = { ...document, documentKey: 'second' };
      const elsewhere = { ...document, datastoreId: `${document.datastoreId}-other` };
      const other = { ...document, documentKey: 'third', datasourceId: 'other' };
      for (const each of [document, second, elsewhere, other]) await write(each, [each.documentKey]);
      await store().removeDatasource(SAMPLE_COLLECTION, document);
      expect(await stored(document)).toEqual(['third']);
      expect(await stored(elsewhere)).toEqual([]);
      expect(await store().describeDocument(SAMPLE_COLLECTION, second)).toBeUndefined();
    });

    it('takes a datastore away, and no other', async () => {
      const document = sampleDocument();
      const second = { ...document, documentKey: 'second', datasourceId: 'other' };
      const elsewhere = { ...document, datastoreId: `${document.datastoreId}-other` };
      for (const each of [document, second, elsewhere]) await write(each, ['grebe']);
      await store().removeDatastore(SAMPLE_COLLECTION, document);
      expect(await stored(document)).toEqual([]);
      expect(await stored(elsewhere)).toEqual(['grebe']);
      expect(await store().describeDocument(SAMPLE_COLLECTION, second)).toBeUndefined();
    });

    it('succeeds where there is nothing to remove', async () => {
      const document = sampleDocument();
      const never: Collection = { embedding: { model: 'never removed from', dimensions: 8, distance: 'cosine' } };
      for (const collection of [SAMPLE_COLLECTION, never]) {
        await store().removeDocument(collection, document);
        await store().removeDatasource(collection, document);
        await store().removeDatastore(collection, document);
        expect(await store().searchLexical(collection, scopeOf(document), 'anything', 10)).toEqual([]);
      }
    });

    it('forgets the generation: what is written next is searched, whatever its generation', async () => {
      const document = sampleDocument();
      await write(document, ['loon one', 'loon two'], 7);
      await store().removeDocument(SAMPLE_COLLECTION, document);
      await write(document, ['loon three'], 3);
      expect(await stored(document)).toEqual(['loon three']);
      await store().removeDatastore(SAMPLE_COLLECTION, document);
      await write(document, ['loon four'], 3);
      expect(await stored(document)).toEqual(['loon four']);
    });
  });
}
