import { randomUUID } from 'node:crypto';
import { QdrantClient } from '@qdrant/js-client-rest';
import { getCollectionName, type Collection, type FragmentStore, type MetadataFilter } from '@quarry/fragment-store';
import { createSampleVersion, createScope, createSampleDocument } from '@quarry/fragment-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openQdrantFragmentStore } from '../index.js';

/**
 * Asserts that one index covers the metadata of all keys. Asserts that filters also find fragments of earlier versions
 * of Quarry, which lack the indexed list.
 */
export function describeMetadataIndex(url: () => string): void {
  describe('the index of metadata in Qdrant', () => {
    const document = createSampleDocument();
    let collection: Collection;
    let name: string;
    let client: QdrantClient;
    let store: FragmentStore;
    beforeEach(async () => {
      collection = { embedding: { model: `indexed ${randomUUID()}`, dimensions: 8, distance: 'cosine' } };
      name = getCollectionName(collection);
      client = new QdrantClient({ url: url(), checkCompatibility: false });
      store = await openQdrantFragmentStore({ url: url() });
    });
    afterEach(() => store.close());

    const writeHeron = (documentKey: string, metadata?: Readonly<Record<string, unknown>>): Promise<void> => {
      const parts = metadata === undefined ? {} : { metadata };
      return store.replaceDocument(
        collection,
        createSampleVersion({ ...document, documentKey }, [`heron ${documentKey}`], parts),
      );
    };

    const findHerons = async (metadata: MetadataFilter): Promise<readonly string[]> => {
      const found = await store.searchLexical(collection, createScope(document, { metadata }), { text: 'heron' }, 10);
      return found.map(({ text }) => text).sort();
    };

    it('the only index on metadata is on `metadata_entries`, the list of all metadata values of a fragment', async () => {
      await writeHeron('red', { color: 'red', size: 5, on: '2026-11-24' });
      await writeHeron('plain');
      const indexes = Object.keys((await client.getCollection(name)).payload_schema);
      expect(indexes.filter((field) => field.includes('metadata'))).toEqual(['metadata_entries']);
      const { points } = await client.scroll(name, { limit: 10, with_payload: ['metadata_entries'] });
      expect(points.map(({ payload }) => payload?.['metadata_entries']).sort()).toEqual([
        [''],
        ['', 'k_color:"red"', 'k_on:"2026-11-24"', 'k_size:5'],
      ]);
    });

    it('metadata filters also find fragments that an earlier version of Quarry stored without values in `metadata_entries`', async () => {
      await writeHeron('new', { color: 'red', size: 5 });
      await writeHeron('old');
      const earlier = {
        metadata_entries: [],
        metadata: { k_color: { terms: ['"red"'] }, k_size: { numbers: [7] } },
      };
      const filter = { must: [{ key: 'document_key', match: { value: 'old' } }] };
      await client.setPayload(name, { payload: earlier, filter, wait: true });
      expect(await findHerons({ type: 'eq', key: 'color', value: 'red' })).toEqual(['heron new', 'heron old']);
      expect(await findHerons({ type: 'ne', key: 'color', value: 'red' })).toEqual([]);
      expect(await findHerons({ type: 'in', key: 'size', value: [7, '5'] })).toEqual(['heron old']);
      expect(await findHerons({ type: 'nin', key: 'size', value: [7, '5'] })).toEqual(['heron new']);
      expect(await findHerons({ type: 'gt', key: 'size', value: 4 })).toEqual(['heron new', 'heron old']);
    });
  });
}
