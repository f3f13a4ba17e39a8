import { randomUUID } from 'node:crypto';
import { QdrantClient } from '@qdrant/js-client-rest';
import { getCollectionName, hashTerm, type Collection, type FragmentStore } from '@quarry/fragment-store';
import {
  describePersistentFragmentStore,
  createSampleDocument,
  createSampleVector,
  createSampleVersion,
  createScope,
} from '@quarry/fragment-store/testing';
import { extractTerms } from '@quarry/text-analysis';
import { describe, expect, it, vi } from 'vitest';
import { openQdrantFragmentStore, type Timing } from '../index.js';
import type { CollectionLayout } from '../options.js';
import { roundVector } from '../points.js';
import { QdrantConnection } from '../qdrant-connection.js';
import { sampleTermStatistics } from '../sample-term-statistics.js';
import { buildDocumentVector } from '../sparse-vector.js';
import { openStoresAsActors, runInterleavings } from './run-interleavings.js';
import { startStepProxy } from './step-proxy.js';

/**
 * Runs all tests of the adapter on the server at `url`, which is a real server or the fake server.
 *
 * @param layout the layout of the collections that the tests create
 */
export function describeQdrantStore(url: () => string, layout: Partial<CollectionLayout> = {}): void {
  describePersistentFragmentStore('the fragment store in Qdrant', async () => {
    const openQdrantStore = (): Promise<FragmentStore> => openQdrantFragmentStore({ url: url(), layout });
    let store = await openQdrantStore();
    const proxy = await startStepProxy(url());
    const actors = await openStoresAsActors(proxy, layout);
    return {
      store,
      reopen: async () => {
        await store.close();
        store = await openQdrantStore();
        return store;
      },
      openReader: openQdrantStore,
      runInterleaved: (attempt) => runInterleavings(proxy, actors, attempt),
      cleanup: async () => {
        await Promise.all([store, ...actors].map((each) => each.close()));
        await proxy.close();
      },
    };
  });

  describe('the Qdrant fragment store', () => {
    const createCollection = (): Collection => ({
      embedding: { model: `further ${randomUUID()}`, dimensions: 8, distance: 'cosine' },
    });

    const openStore = (timing: Partial<Timing> = {}): Promise<FragmentStore> =>
      openQdrantFragmentStore({ url: url(), layout, timing });

    const countPoints = async (name: string, filter = {}): Promise<number> => {
      const client = new QdrantClient({ url: url(), checkCompatibility: false });
      return (await client.count(name, { filter, exact: true })).count;
    };

    const settled = { must: [{ key: 'settled', match: { value: true } }] };

    it('if several stores make the first write to a collection at the same time, the documents of all stores are stored', async () => {
      const collection = createCollection();
      const tenant = createSampleDocument();
      const stores = await Promise.all(Array.from({ length: 5 }, () => openStore()));
      await Promise.all(
        stores.map((store, at) =>
          store.replaceDocument(collection, createSampleVersion({ ...tenant, documentKey: String(at) }, ['a coot'])),
        ),
      );
      expect(await stores[0]?.searchLexical(collection, createScope(tenant), { text: 'coot' }, 10)).toHaveLength(5);
      await Promise.all(stores.map((store) => store.close()));
    });

    it('opening the store with `upgrade` creates the indexes that collections of earlier versions of Quarry lack', async () => {
      const collection = createCollection();
      const name = getCollectionName(collection);
      const client = new QdrantClient({ url: url(), checkCompatibility: false });
      const listIndexes = async (): Promise<readonly string[]> =>
        Object.keys((await client.getCollection(name)).payload_schema).sort();
      const store = await openStore();
      await store.replaceDocument(collection, createSampleVersion(createSampleDocument(), ['one']));
      const all = await listIndexes();
      await client.deletePayloadIndex(name, 'price', { wait: true });
      expect(await listIndexes()).toEqual(all.filter((field) => field !== 'price'));
      const upgraded = await openQdrantFragmentStore({ url: url(), layout, upgrade: true });
      expect(await listIndexes()).toEqual(all);
      await Promise.all([store.close(), upgraded.close()]);
    });

    it('opening the store with `upgrade` removes the modifier `idf` that an earlier version of Quarry set on a collection', async () => {
      const collection = createCollection();
      const name = getCollectionName(collection);
      const client = new QdrantClient({ url: url(), checkCompatibility: false });
      const document = createSampleDocument();
      const store = await openStore();
      await store.replaceDocument(collection, createSampleVersion(document, ['a knot', 'a knot and a ruff']));
      const search = () => store.searchLexical(collection, createScope(document), { text: 'knot ruff' }, 10);
      const found = await search();
      await client.updateCollection(name, { sparse_vectors: { lexical: { modifier: 'idf' } } });
      expect(await search()).not.toEqual(found);
      const upgraded = await openQdrantFragmentStore({ url: url(), layout, upgrade: true });
      expect(await search()).toEqual(found);
      await Promise.all([store.close(), upgraded.close()]);
    });

    it('the estimate of term statistics reads the same sample of a large datastore each time', async () => {
      const collection = createCollection();
      const name = getCollectionName(collection);
      const document = createSampleDocument();
      const store = await openStore();
      const texts = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 'a stint' : 'a plain text'));
      await store.replaceDocument(collection, createSampleVersion(document, texts));
      const readSample = (fragments: number) =>
        sampleTermStatistics(
          new QdrantConnection({ url: url() }),
          { fragments: name, shard: {} },
          createScope(document),
          {
            fragments,
            pageSize: 7,
          },
        );
      const all = await readSample(100);
      const rarity = all?.computeIdf(hashTerm('stint')) ?? 0;
      expect([all?.fragments, rarity]).toEqual([40, expect.closeTo(Math.log(2), 5)]);
      const sample = await readSample(20);
      expect(sample?.fragments).toBe(40);
      expect(sample?.computeIdf(hashTerm('plain'))).toBeGreaterThan(0);
      expect(sample?.computeIdf(hashTerm('unknown'))).toBeGreaterThan(2 * Math.LN2);
      expect(await readSample(20)).toEqual(sample);
      await store.close();
    });

    it('the store deletes replaced fragments when no search can use them any more', async () => {
      const collection = createCollection();
      const name = getCollectionName(collection);
      const store = await openStore({ graceMs: 300 });
      const document = createSampleDocument();
      await store.replaceDocument(collection, createSampleVersion(document, ['one', 'two'], { generation: 1 }));
      await store.replaceDocument(collection, createSampleVersion(document, ['three'], { generation: 2 }));
      expect(await countPoints(name)).toBe(3);
      await vi.waitUntil(async () => (await countPoints(`${name}-documents`, settled)) === 1, { timeout: 20_000 });
      expect(await countPoints(name)).toBe(1);
      expect(await store.searchLexical(collection, createScope(document), { text: 'three' }, 10)).toHaveLength(1);
      await store.close();
    });

    it('if a store is killed before it deletes replaced fragments, the next store that writes deletes them', async () => {
      const collection = createCollection();
      const name = getCollectionName(collection);
      const document = createSampleDocument();
      const killed = await openStore({ graceMs: 300 });
      for (const generation of [1, 2]) {
        await killed.replaceDocument(
          collection,
          createSampleVersion(document, [`g${String(generation)}`], { generation }),
        );
      }
      await killed.close();
      expect(await countPoints(name)).toBe(2);
      const next = await openStore({ graceMs: 300 });
      await next.replaceDocument(collection, createSampleVersion({ ...document, documentKey: 'other' }, ['other']));
      await vi.waitUntil(async () => (await countPoints(`${name}-documents`, settled)) === 2, { timeout: 20_000 });
      expect(await countPoints(name)).toBe(2);
      await next.close();
    });

    it('a search finds a document even if many fragments of unfinished replacements rank higher', async () => {
      const collection = createCollection();
      const name = getCollectionName(collection);
      const store = await openStore();
      const document = createSampleDocument();
      await store.replaceDocument(collection, createSampleVersion(document, ['the moorhen']));
      await writeUnfinishedReplacement(url(), name, 50);
      for (const limit of [1, 5, 100]) {
        const byWords = await store.searchLexical(collection, createScope(document), { text: 'moorhen' }, limit);
        const byVector = await store.searchDense(collection, createScope(document), createSampleVector('x'), limit);
        expect([...byWords, ...byVector].map(({ text }) => text)).toEqual(['the moorhen', 'the moorhen']);
      }
      await store.close();
    });

    it('a dense search finds the best fragment in a collection with quantized vectors and several shards', async () => {
      const collection = createCollection();
      const store = await openQdrantFragmentStore({ url: url(), layout: { ...layout, shards: 3, quantized: true } });
      const document = createSampleDocument();
      const texts = Array.from({ length: 60 }, (_, at) => `text ${String(at)}`);
      await store.replaceDocument(collection, createSampleVersion(document, texts));
      const [first] = await store.searchDense(collection, createScope(document), createSampleVector('text 33'), 3);
      expect(first?.text).toBe('text 33');
      expect(first?.score).toBeCloseTo(1, 3);
      await store.close();
    });
  });
}

/** Adds copies of a point with another commit, like a writer that was killed before its fragments became current. */
async function writeUnfinishedReplacement(url: string, name: string, copies: number): Promise<void> {
  const client = new QdrantClient({ url, checkCompatibility: false });
  const { points } = await client.scroll(name, { limit: 1, with_payload: true });
  const [point] = points;
  const payload = { ...point?.payload, commit: randomUUID() };
  const vector = {
    dense: roundVector(createSampleVector('x')),
    lexical: buildDocumentVector(extractTerms('the moorhen')),
  };
  const unfinished = Array.from({ length: copies }, () => ({ id: randomUUID(), vector, payload }));
  const shard = point?.shard_key == null ? {} : { shard_key: point.shard_key };
  await client.upsert(name, { ...shard, points: unfinished, wait: true });
}
