import { randomUUID } from 'node:crypto';
import { QdrantClient } from '@qdrant/js-client-rest';
import { computeDocumentId, type Collection, type DocumentRef } from '@quarry/fragment-store';
import { createSampleDocument, createSampleFragment, createSampleVersion } from '@quarry/fragment-store/testing';
import { describe, expect, it, vi } from 'vitest';
import { getCollectionNames } from '../collections.js';
import { readDocumentRecords } from '../document-record.js';
import { openQdrantFragmentStore } from '../index.js';
import { QdrantConnection } from '../qdrant-connection.js';
import { settleCommits, type SettledCommit, type SettlingContext } from '../settle-commits.js';
import { enumeratePaths } from './enumerate-paths.js';
import { startStepProxy } from './step-proxy.js';

const NEVER_MS = 3_600_000;

/** Number of fragments that the store writes in one request. */
const BATCH = 500;

/** Asserts that the fragments of writes that failed or were killed are deleted, and those of active writes are not. */
export function describeAbandonedWrites(url: () => string): void {
  const createCollection = (): Collection => ({
    embedding: { model: `abandoned ${randomUUID()}`, dimensions: 8, distance: 'cosine' },
  });

  const openClient = (): QdrantClient => new QdrantClient({ url: url(), checkCompatibility: false });

  const countFragments = async (collection: Collection, document: DocumentRef): Promise<number> => {
    const filter = { must: [{ key: 'document_id', match: { value: computeDocumentId(document) } }] };
    return (await openClient().count(getCollectionNames(collection).fragments, { filter, exact: true })).count;
  };

  describe('abandoned writes of the Qdrant fragment store', () => {
    it.each([undefined, 'before'])(
      'if a write is killed before its fragments become current, the next write of the same run deletes the fragments (text stored by an earlier run: %s)',
      async (before) => {
        const collection = createCollection();
        const document = createSampleDocument();
        const [killed, store] = await Promise.all(
          // A store that waits to settle the write would keep its fragments from being found as abandoned.
          [NEVER_MS, 50].map((graceMs) => openQdrantFragmentStore({ url: url(), timing: { graceMs } })),
        );
        if (killed === undefined || store === undefined) throw new Error('expected two open stores, found fewer');
        await killed.replaceDocument(collection, createSampleVersion(document, ['killed', 'write'], { generation: 3 }));
        await removeRecord(openClient(), collection, document);
        if (before !== undefined)
          await store.replaceDocument(collection, createSampleVersion(document, [before], { generation: 2 }));
        await store.replaceDocument(collection, createSampleVersion(document, ['repeated write'], { generation: 3 }));
        await vi.waitUntil(async () => (await countFragments(collection, document)) === 1, { timeout: 20_000 });
        expect(await store.readStoredDocument(collection, document)).toMatchObject({ generation: 3, fragments: 1 });
        await Promise.all([killed.close(), store.close()]);
      },
    );

    it('if a write fails after some of its fragments were stored, the store deletes these fragments', async () => {
      const collection = createCollection();
      const document = createSampleDocument();
      const store = await openQdrantFragmentStore({ url: url() });
      const texts = Array.from({ length: BATCH }, (_, at) => `text ${String(at)}`);
      const invalid = createSampleFragment('invalid', { vector: new Float32Array(8).fill(NaN) });
      const fragments = [...texts.map((text) => createSampleFragment(text)), invalid];
      const write = store.replaceDocument(collection, createSampleVersion(document, [], { fragments }));
      await expect(write).rejects.toThrow('failed to write 1 fragments');
      expect(await countFragments(collection, document)).toBe(0);
      await store.close();
    });

    it('if a store settles a document while another store writes the document in the same generation, the document keeps all fragments of the write', async () => {
      const collection = createCollection();
      const names = getCollectionNames(collection);
      const connection = new QdrantConnection({ url: url() });
      const proxy = await startStepProxy(url());
      const [store, writer] = await Promise.all(
        [url(), proxy.getActorUrl(0)].map((one) =>
          openQdrantFragmentStore({ url: one, timing: { graceMs: NEVER_MS } }),
        ),
      );
      if (store === undefined || writer === undefined) throw new Error('expected two open stores, found fewer');
      await writer.replaceDocument(collection, createSampleVersion(createSampleDocument(), ['prepared']));
      const context: SettlingContext = { connection, names, assignShard: () => ({}) };
      const readCurrentCommit = async (document: DocumentRef): Promise<SettledCommit> => {
        const documentId = computeDocumentId(document);
        const record = (await readDocumentRecords(connection, names.documents, [documentId])).get(documentId);
        if (record === undefined) throw new Error('expected a stored document, found none');
        return { documentId, ...record };
      };
      const interleaved = { ...context, connection: new QdrantConnection({ url: proxy.getActorUrl(1) }) };
      let orders = 0;
      for (const choose of enumeratePaths()) {
        orders += 1;
        const document = createSampleDocument();
        await store.replaceDocument(collection, createSampleVersion(document, ['one'], { generation: 6 }));
        const current = await readCurrentCommit(document);
        const version = createSampleVersion(document, ['two', 'parts'], { generation: 6 });
        await proxy.runTasksInSteps(
          [() => writer.replaceDocument(collection, version), () => settleCommits(interleaved, [current])],
          choose,
        );
        expect(await store.readStoredDocument(collection, document)).toMatchObject({
          contentHash: version.contentHash,
          fragments: 2,
        });
        await settleCommits(context, [await readCurrentCommit(document)]);
        expect(await countFragments(collection, document)).toBe(2);
      }
      expect(orders).toBeGreaterThan(30);
      await Promise.all([store.close(), writer.close()]);
      await proxy.close();
    });
  });
}

/** Removes the record of a document, so that its fragments are like those of a write that was killed. */
async function removeRecord(client: QdrantClient, collection: Collection, document: DocumentRef): Promise<void> {
  const { documents } = getCollectionNames(collection);
  await client.delete(documents, { points: [computeDocumentId(document)], wait: true });
}
