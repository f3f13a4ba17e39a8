import { createHash } from 'node:crypto';
import type { Schemas } from '@qdrant/js-client-rest';
import type { QdrantConnection } from './qdrant-connection.js';

/**
 * Part of a request that selects the shards with the fragments of one organization. Without a key, it selects all
 * shards.
 */
export interface ShardSelection {
  readonly shard_key?: Schemas['ShardKeyWithFallback'];
}

/**
 * Returns the shards of an organization: the organization's own shard if the operator created one, otherwise a shard
 * that several organizations share.
 */
export type ShardAssignment = (organizationId: string) => ShardSelection;

/**
 * Name of the field in a Qdrant collection's metadata that holds the number of shards that organizations share. The
 * number never changes.
 */
const SHARED_SHARDS = 'shared_shards';

/** Returns the settings of a new collection whose organizations are distributed over `shards` shards. */
export function buildSharedShardConfig(
  shards: number,
): Pick<Schemas['CreateCollection'], 'sharding_method' | 'metadata'> {
  return { sharding_method: 'custom', metadata: { [SHARED_SHARDS]: shards } };
}

/**
 * Checks that the server runs in cluster mode, which shards with keys require.
 *
 * @throws Error if the server runs without the cluster mode
 */
export async function requireClusterMode(connection: QdrantConnection): Promise<void> {
  const { data } = await connection.sendRequest('return the state of its cluster', (client) =>
    client.api().clusterStatus({}),
  );
  if (data.result?.status === 'enabled') return;
  throw new Error(
    'expected Qdrant in cluster mode, because QDRANT_TENANT_SHARDS is true, found a server without it; start Qdrant with ' +
      'QDRANT__CLUSTER__ENABLED=true and --uri, or unset QDRANT_TENANT_SHARDS',
  );
}

/** Creates those of the shared shards that do not exist yet. Several processes can call it concurrently. */
export async function createSharedShards(
  connection: QdrantConnection,
  name: string,
  { shards, replicas }: { readonly shards: number; readonly replicas: number },
): Promise<void> {
  const existing = await listShardKeys(connection, name);
  for (let number = 0; number < shards; number += 1) {
    const key = getSharedShardKey(number);
    if (existing.has(key)) continue;
    try {
      await connection.sendRequest(`create shard ${key} of ${name}`, (client) =>
        client.createShardKey(name, { shard_key: key, shards_number: 1, replication_factor: replicas }),
      );
    } catch (error) {
      // The server returns no specific error if another process has created the shard meanwhile.
      if (!(await listShardKeys(connection, name)).has(key)) throw error;
    }
  }
}

/**
 * Reads the assignment of organizations to the shards of a collection.
 *
 * @returns undefined if the collection does not exist
 */
export async function readShardAssignment(
  connection: QdrantConnection,
  name: string,
): Promise<ShardAssignment | undefined> {
  const described = await connection.sendToExistingCollection(`describe ${name}`, (client) =>
    client.getCollection(name),
  );
  if (described === undefined) return undefined;
  const shards = readSharedShardCount(described.config);
  return shards === undefined ? () => ({}) : (organizationId) => buildShardSelection(organizationId, shards);
}

/**
 * Returns the number of shards that organizations share, or undefined if the server distributes fragments by their ids.
 */
export function readSharedShardCount({ metadata }: Schemas['CollectionConfig']): number | undefined {
  const shards: unknown = metadata?.[SHARED_SHARDS];
  return typeof shards === 'number' ? shards : undefined;
}

function buildShardSelection(organizationId: string, shards: number): ShardSelection {
  const id = organizationId.toWellFormed();
  const number = createHash('sha256').update(id).digest().readUInt32BE() % shards;
  return { shard_key: { target: id, fallback: getSharedShardKey(number) } };
}

function getSharedShardKey(number: number): string {
  return `shared-${String(number)}`;
}

async function listShardKeys(connection: QdrantConnection, name: string): Promise<ReadonlySet<unknown>> {
  const { shard_keys = [] } = await connection.sendRequest(`list the shards of ${name}`, (client) =>
    client.listShardKeys(name),
  );
  return new Set(shard_keys?.map(({ key }) => key));
}
