import { randomUUID } from 'node:crypto';
import { QdrantClient } from '@qdrant/js-client-rest';
import { getCollectionName, type Collection, type DocumentRef, type FragmentStore } from '@quarry/fragment-store';
import {
  createSampleDocument,
  createSampleFragment,
  createSampleVector,
  createSampleVersion,
  createScope,
} from '@quarry/fragment-store/testing';
import { describe, expect, it, vi } from 'vitest';
import { openQdrantFragmentStore } from '../index.js';
import { enumeratePaths } from './enumerate-paths.js';
import { startStepProxy, type ProxiedRequest } from './step-proxy.js';

const NEVER_MS = 3_600_000;

/** Asserts that several stores can write the same documents concurrently, and that concurrent searches are correct. */
export function describeContention(url: () => string): void {
  const createCollection = (): Collection => ({
    embedding: { model: `contended ${randomUUID()}`, dimensions: 8, distance: 'cosine' },
  });

  const countPoints = async (name: string, filter = {}): Promise<number> => {
    const client = new QdrantClient({ url: url(), checkCompatibility: false });
    return (await client.count(name, { filter, exact: true })).count;
  };

  describe('the Qdrant fragment store under contention', () => {
    it('if two versions of a document are written concurrently in the same generation, the store keeps only one of them', async () => {
      const collection = createCollection();
      const name = getCollectionName(collection);
      const proxy = await startStepProxy(url());
      const stores = await Promise.all(
        [0, 1].map((actor) =>
          openQdrantFragmentStore({ url: proxy.getActorUrl(actor), timing: { graceMs: NEVER_MS } }),
        ),
      );
      const writeDocument = (store: FragmentStore, document: DocumentRef, texts: readonly string[]): Promise<void> =>
        store.replaceDocument(collection, createSampleVersion(document, texts, { generation: 6 }));
      for (const store of stores) await writeDocument(store, createSampleDocument(), ['prepared']);
      const documents: DocumentRef[] = [];
      for (const choose of enumeratePaths()) {
        const document = createSampleDocument();
        documents.push(document);
        // The two versions differ in size, so that the number of fragments identifies the stored version.
        await proxy.runTasksInSteps(
          stores.map((store, at) => () => writeDocument(store, document, at === 0 ? ['one'] : ['two', 'parts'])),
          choose,
        );
      }
      // The stores are closed before they settle documents. The next store that writes settles the documents.
      await Promise.all(stores.map((store) => store.close()));
      await proxy.close();
      const next = await openQdrantFragmentStore({ url: url(), timing: { graceMs: 50 } });
      await writeDocument(next, createSampleDocument(), ['prepared']);
      const unsettled = { must: [{ key: 'settled', match: { value: false } }] };
      await vi.waitUntil(async () => (await countPoints(`${name}-documents`, unsettled)) === 0, { timeout: 60_000 });
      expect(documents.length).toBeGreaterThan(30);
      for (const document of documents) {
        const described = await next.readStoredDocument(collection, document);
        const ofDocument = { must: [{ key: 'datastore_id', match: { value: document.datastoreId } }] };
        expect(await countPoints(name, ofDocument)).toBe(described?.fragments);
      }
      await next.close();
    });

    it('when a newer run confirms a document, the store deletes the fragments that a killed writer of the document left', async () => {
      const collection = createCollection();
      const name = getCollectionName(collection);
      const store = await openQdrantFragmentStore({ url: url(), timing: { graceMs: 50 } });
      const document = createSampleDocument();
      const version = createSampleVersion(document, ['one', 'two'], { generation: 3 });
      await store.replaceDocument(collection, version);
      const client = new QdrantClient({ url: url(), checkCompatibility: false });
      const { points } = await client.scroll(name, { limit: 1, with_payload: true, with_vector: true });
      const left = points.map(({ payload, vector }) => ({
        id: randomUUID(),
        vector: vector ?? {},
        payload: { ...payload, commit: randomUUID() },
      }));
      // The cast is valid because a vector that the server returned can be written back unchanged.
      await client.upsert(name, { points: left as never, wait: true });
      expect(await countPoints(name)).toBe(3);
      await store.confirmDocument(collection, document, { ...version, generation: 4 });
      await vi.waitUntil(async () => (await countPoints(name)) === 2, { timeout: 20_000 });
      expect(await store.readStoredDocument(collection, document)).toMatchObject({ generation: 4, fragments: 2 });
      await store.close();
    });

    it('if a fragment of a document is missing, readStoredDocument returns undefined, and the same run can write the document again', async () => {
      const collection = createCollection();
      const store = await openQdrantFragmentStore({ url: url() });
      const document = createSampleDocument();
      const version = createSampleVersion(document, ['one', 'two', 'three'], { generation: 3 });
      await store.replaceDocument(collection, version);
      const client = new QdrantClient({ url: url(), checkCompatibility: false });
      const second = { must: [{ key: 'ordinal', match: { value: 1 } }] };
      await client.delete(getCollectionName(collection), { filter: second, wait: true });
      expect(await store.readStoredDocument(collection, document)).toBeUndefined();
      await store.replaceDocument(collection, version);
      expect(await store.readStoredDocument(collection, document)).toMatchObject({ fragments: 3 });
      expect(await store.searchDense(collection, createScope(document), createSampleVector('x'), 10)).toHaveLength(3);
      await store.close();
    });

    it('if a fragment of a document is missing, confirmDocument returns false and changes nothing', async () => {
      const collection = createCollection();
      const store = await openQdrantFragmentStore({ url: url() });
      const document = createSampleDocument();
      const version = createSampleVersion(document, ['one', 'two'], { generation: 3 });
      await store.replaceDocument(collection, version);
      const client = new QdrantClient({ url: url(), checkCompatibility: false });
      const second = { must: [{ key: 'ordinal', match: { value: 1 } }] };
      await client.delete(getCollectionName(collection), { filter: second, wait: true });
      expect(await store.confirmDocument(collection, document, { ...version, generation: 5 })).toBe(false);
      await store.replaceDocument(collection, { ...version, generation: 4 });
      expect(await store.readStoredDocument(collection, document)).toMatchObject({ generation: 4, fragments: 2 });
      expect(await store.confirmDocument(collection, document, { ...version, generation: 5 })).toBe(true);
      await store.close();
    });

    it('while all documents are replaced repeatedly, a search returns as many fragments as its limit, with few extra requests', async () => {
      const collection = createCollection();
      const requests: ProxiedRequest[] = [];
      const proxy = await startStepProxy(url(), (request) => requests.push(request));
      const [reader, writer] = await Promise.all(
        [0, 1].map((actor) =>
          openQdrantFragmentStore({ url: proxy.getActorUrl(actor), timing: { graceMs: NEVER_MS } }),
        ),
      );
      if (reader === undefined || writer === undefined) throw new Error('expected two open stores, found fewer');
      const tenant = createSampleDocument();
      const keys = Array.from({ length: 20 }, (_, at) => `d${String(at)}`);
      let generation = 0;
      const replaceAll = async (): Promise<void> => {
        generation += 1;
        for (const documentKey of keys) {
          const fragments = [
            createSampleFragment(`${documentKey} ${String(generation)}`, { vector: createSampleVector('gannet') }),
          ];
          const version = createSampleVersion({ ...tenant, documentKey }, [], { fragments, generation });
          await writer.replaceDocument(collection, { ...version, contentHash: String(generation) });
        }
      };
      for (let round = 0; round < 5; round += 1) await replaceAll();
      const searchRepeatedly = async (): Promise<void> => {
        const found = await reader.searchDense(collection, createScope(tenant), createSampleVector('gannet'), 5);
        expect(found).toHaveLength(5);
        expect(new Set(found.map(({ documentKey }) => documentKey)).size).toBe(5);
      };
      let searching = true;
      const tasks = [
        () => searchRepeatedly().finally(() => (searching = false)),
        async () => {
          while (searching) await replaceAll();
        },
      ];
      let turn = 0;
      // Allows enough requests between two requests of the search to replace all documents. Each replacement takes four
      // requests.
      await proxy.runTasksInSteps(tasks, (waiting) =>
        waiting.includes(0) && (!waiting.includes(1) || (turn += 1) % (keys.length * 4) === 0) ? 0 : 1,
      );
      const queries = requests.filter(({ actor, path }) => actor === 0 && path.includes('points/query'));
      const limits = queries.map(({ body }) => (JSON.parse(body) as { readonly limit: number }).limit);
      expect(limits.length).toBeGreaterThan(0);
      expect(Math.max(...limits)).toBeLessThanOrEqual(80);
      await Promise.all([reader.close(), writer.close()]);
      await proxy.close();
    });
  });
}
