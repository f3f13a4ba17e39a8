import { randomUUID } from 'node:crypto';
import { QdrantClient } from '@qdrant/js-client-rest';
import { getCollectionName, type FragmentStore } from '@quarry/fragment-store';
import { createSampleVersion, createScope, createSampleDocument } from '@quarry/fragment-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openQdrantFragmentStore } from './index.js';
import { describeQdrantStore } from './testing/describe-qdrant-store.js';
import { describeWithNewQdrant } from './testing/index.js';

const LAYOUT = { tenantShards: true, shards: 2 };

await describeWithNewQdrant('Qdrant with shards of tenants', process.env, { cluster: true }, (url) => {
  describeQdrantStore(url, LAYOUT);
  describeMoveToOwnShard(url);
});

await describeWithNewQdrant('Qdrant without the cluster mode', process.env, {}, (url) => {
  it('if the server has no cluster mode, a write with `tenantShards` creates no collection, and the error names the setting QDRANT_TENANT_SHARDS', async () => {
    const collection = { embedding: { model: `shards ${randomUUID()}`, dimensions: 8, distance: 'cosine' } } as const;
    const store = await openQdrantFragmentStore({ url: url(), layout: LAYOUT });
    const write = store.replaceDocument(collection, createSampleVersion(createSampleDocument(), ['a dunlin']));
    await expect(write).rejects.toThrow('unset QDRANT_TENANT_SHARDS');
    const client = new QdrantClient({ url: url(), checkCompatibility: false });
    expect(await client.collectionExists(getCollectionName(collection))).toEqual({ exists: false });
    await store.close();
  });
});

/** Tests the commands of docs/growing.md that move an organization to its own shard. */
function describeMoveToOwnShard(url: () => string): void {
  describe('an organization that gets a shard of its own', () => {
    const collection = { embedding: { model: `shards ${randomUUID()}`, dimensions: 8, distance: 'cosine' } } as const;
    const name = getCollectionName(collection);
    let store: FragmentStore;
    let client: QdrantClient;
    beforeEach(async () => {
      store = await openQdrantFragmentStore({ url: url(), layout: LAYOUT, timing: { graceMs: 3_000 } });
      client = new QdrantClient({ url: url(), checkCompatibility: false });
    });
    afterEach(() => store.close());

    const readShards = async (): Promise<Readonly<Record<string, string>>> => {
      const { local_shards } = await client.collectionClusterInfo(name);
      return Object.fromEntries(local_shards.map(({ shard_key, state }) => [formatShardKey(shard_key), state]));
    };

    it('during and after the move of an organization to its own shard, searches of every organization find all fragments of that organization', async () => {
      const large = createSampleDocument();
      const small = createSampleDocument({ organizationId: `small ${randomUUID()}` });
      const write = async (document: typeof large, key: number, text: string, generation: number): Promise<void> => {
        const version = { ...document, documentKey: `document ${String(key)}` };
        await store.replaceDocument(collection, createSampleVersion(version, [text, `more ${text}`], { generation }));
      };
      const searchTexts = async (document: typeof large, text: string): Promise<readonly string[]> =>
        (await store.searchLexical(collection, createScope(document), { text }, 100)).map((found) => found.text).sort();
      const KEYS = Array.from({ length: 20 }, (_, at) => at);
      for (const key of KEYS) await write(large, key, `dunlin ${String(key)}`, 1);
      await write(small, 0, 'dunlin of another organization', 1);
      const before = await searchTexts(large, 'dunlin');
      expect(before).toHaveLength(40);

      const from = await findShard(client, name, large.organizationId);
      await client.createShardKey(name, { shard_key: large.organizationId, initial_state: 'Partial' });
      await copyPoints(url(), name, { from, organizationId: large.organizationId });
      // Replaces half of the documents during the copy.
      for (const key of KEYS.slice(0, 10)) {
        await write(large, key, `dunlin ${String(key)}`, 2);
        expect(await searchTexts(large, 'dunlin')).toEqual(before);
      }
      await expect.poll(async () => (await readShards())[large.organizationId]).toBe('Active');
      expect(await searchTexts(large, 'dunlin')).toEqual(before);
      const filter = { must: [{ key: 'organization_id', match: { value: large.organizationId } }] };
      await client.delete(name, { shard_key: from, filter, wait: true });

      for (const key of KEYS) await write(large, key, `dunlin ${String(key)}`, 3);
      expect(await searchTexts(large, 'dunlin')).toEqual(before);
      expect(await searchTexts(small, 'dunlin')).toHaveLength(2);
      expect((await client.count(name, { shard_key: from, filter, exact: true })).count).toBe(0);
      await expect.poll(async () => (await client.count(name, { filter, exact: true })).count).toBe(40);
      await store.removeDatasource(collection, large);
      expect((await client.count(name, { filter, exact: true })).count).toBe(0);
      expect(await searchTexts(small, 'dunlin')).toHaveLength(2);
    });
  });
}

function formatShardKey(key: unknown): string {
  if (typeof key !== 'string') throw new TypeError(`expected the key of a shard, found ${typeof key}`);
  return key;
}

async function findShard(client: QdrantClient, name: string, organizationId: string): Promise<string> {
  const filter = { must: [{ key: 'organization_id', match: { value: organizationId } }] };
  const { points } = await client.scroll(name, { filter, limit: 1 });
  return formatShardKey(points[0]?.shard_key);
}

async function copyPoints(
  url: string,
  name: string,
  { from, organizationId }: { readonly from: string; readonly organizationId: string },
): Promise<void> {
  const filter = { must: [{ key: 'organization_id', match: { value: organizationId } }] };
  const replicate_points = { from_shard_key: from, to_shard_key: organizationId, filter };
  const response = await fetch(`${url}/collections/${name}/cluster`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ replicate_points }),
  });
  expect(await response.json()).toMatchObject({ status: 'ok' });
}
