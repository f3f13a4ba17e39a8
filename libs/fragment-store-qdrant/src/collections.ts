import { getCollectionName, type Collection } from '@quarry/fragment-store';
import type { Schemas } from '@qdrant/js-client-rest';
import { ENTRIES_FIELD } from './metadata-payload.js';
import type { QdrantConnection } from './qdrant-connection.js';
import type { CollectionLayout } from './options.js';
import { getHttpStatus, QdrantFailure } from './qdrant-failure.js';
import {
  buildSharedShardConfig,
  requireClusterMode,
  createSharedShards,
  readSharedShardCount,
  type ShardSelection,
} from './shard-assignment.js';

/**
 * Minimum number of points of a segment that the server rewrites when a fifth of its points are deleted. With the
 * server default of 1,000, replacements of documents would rewrite small collections continuously, only to save a few
 * megabytes.
 */
const MIN_REWRITTEN_POINTS = 20_000;

/** Number of links from a fragment to its nearest neighbours in the same datastore, in the graph of vectors. */
const LINKS_PER_POINT = 16;

/**
 * Names the two Qdrant collections in which a collection is stored: one for fragments, and one for documents. In the
 * latter, each document is a single point. A change of a single point is atomic, unlike a change of many fragments.
 */
export interface CollectionNames {
  readonly fragments: string;
  readonly documents: string;
}

/** Names the two Qdrant collections, and selects the shards that hold the fragments of one organization. */
export interface TenantCollections extends CollectionNames {
  readonly shard: ShardSelection;
}

type IndexSchema = Schemas['PayloadFieldSchema'];

const KEYWORD: IndexSchema = { type: 'keyword' };

const FRAGMENT_INDEXES: Readonly<Record<string, IndexSchema>> = {
  organization_id: KEYWORD,
  datastore_id: { type: 'keyword', is_tenant: true },
  datasource_id: KEYWORD,
  custom_id: KEYWORD,
  price: { type: 'float' },
  stock_status: KEYWORD,
  language: KEYWORD,
  document_id: KEYWORD,
  commit: KEYWORD,
  generation: { type: 'integer', lookup: false, range: true },
  // The index is on disk, because free-form metadata can have so many values that an index in memory would fill the
  // memory.
  [ENTRIES_FIELD]: { type: 'keyword', on_disk: true },
};

const DOCUMENT_INDEXES: Readonly<Record<string, IndexSchema>> = {
  organization_id: KEYWORD,
  datastore_id: KEYWORD,
  datasource_id: KEYWORD,
  commit: KEYWORD,
  generation: { type: 'integer', lookup: false, range: true },
  settled: { type: 'bool' },
  removed_at: { type: 'integer', lookup: false, range: true },
};

export function getCollectionNames(collection: Collection): CollectionNames {
  const fragments = getCollectionName(collection);
  return { fragments, documents: getDocumentsCollectionName(fragments) };
}

function getDocumentsCollectionName(fragmentsCollection: string): string {
  return `${fragmentsCollection}-documents`;
}

/** Creates the missing Qdrant collections and indexes of a collection. Several processes can call it concurrently. */
export async function createCollectionIfMissing(
  connection: QdrantConnection,
  collection: Collection,
  layout: CollectionLayout,
): Promise<void> {
  const { fragments, documents } = getCollectionNames(collection);
  const copies = {
    replication_factor: layout.replicas,
    optimizers_config: { vacuum_min_vector_number: MIN_REWRITTEN_POINTS },
  };
  const spread = { ...copies, shard_number: layout.shards };
  if (layout.tenantShards) await requireClusterMode(connection);
  await createQdrantCollectionIfMissing(connection, documents, { vectors: {}, ...spread });
  await createQdrantCollectionIfMissing(connection, fragments, {
    ...buildVectorConfig(collection, layout),
    ...(layout.tenantShards ? { ...copies, ...buildSharedShardConfig(layout.shards) } : spread),
  });
  const config = await readCollectionConfig(connection, fragments);
  const shards = readSharedShardCount(config);
  // The shards are created first, because the server rejects indexes for a collection without shards.
  if (shards !== undefined) await createSharedShards(connection, fragments, { shards, replicas: layout.replicas });
  await createPayloadIndexes(connection, documents, DOCUMENT_INDEXES);
  await createPayloadIndexes(connection, fragments, FRAGMENT_INDEXES);
  await removeIdfModifier(connection, fragments, config);
}

/** Gives all collections of earlier versions of Quarry the settings and indexes of this version. */
export async function upgradeCollections(connection: QdrantConnection): Promise<void> {
  const { collections } = await connection.sendRequest('list the collections', (client) => client.getCollections());
  const names = new Set(collections.map(({ name }) => name));
  for (const fragments of names) {
    const documents = getDocumentsCollectionName(fragments);
    if (!names.has(documents)) continue;
    await createPayloadIndexes(connection, documents, DOCUMENT_INDEXES);
    await createPayloadIndexes(connection, fragments, FRAGMENT_INDEXES);
    await removeIdfModifier(connection, fragments, await readCollectionConfig(connection, fragments));
  }
}

/**
 * Removes the modifier `idf`, which earlier versions of Quarry set: with it, scores depend on the fragments of all
 * organizations.
 */
async function removeIdfModifier(
  connection: QdrantConnection,
  name: string,
  config: Schemas['CollectionConfig'],
): Promise<void> {
  if (config.params.sparse_vectors?.['lexical']?.modifier !== 'idf') return;
  await connection.sendRequest(`change ${name}`, (client) =>
    client.updateCollection(name, { sparse_vectors: { lexical: { modifier: 'none' } } }),
  );
}

async function readCollectionConfig(connection: QdrantConnection, name: string): Promise<Schemas['CollectionConfig']> {
  return (await connection.sendRequest(`describe ${name}`, (client) => client.getCollection(name))).config;
}

async function createQdrantCollectionIfMissing(
  connection: QdrantConnection,
  name: string,
  config: Schemas['CreateCollection'],
): Promise<void> {
  const { exists } = await connection.sendRequest(`check for ${name}`, (client) => client.collectionExists(name));
  if (!exists) await createQdrantCollection(connection, name, config);
}

/** Creates indexes of payload fields of a Qdrant collection. Creating an existing index has no effect. */
async function createPayloadIndexes(
  connection: QdrantConnection,
  name: string,
  indexes: Readonly<Record<string, IndexSchema>>,
): Promise<void> {
  for (const [field_name, field_schema] of Object.entries(indexes)) {
    await connection.sendRequest(`index ${field_name} of ${name}`, (client) =>
      client.createPayloadIndex(name, { field_name, field_schema, wait: true }),
    );
  }
}

/** Creates a Qdrant collection. Has no effect if another process creates it at the same time. */
async function createQdrantCollection(
  connection: QdrantConnection,
  name: string,
  config: Schemas['CreateCollection'],
): Promise<void> {
  try {
    await connection.sendRequest(`create ${name}`, (client) => client.createCollection(name, config));
  } catch (error) {
    const madeMeanwhile = error instanceof QdrantFailure && getHttpStatus(error.cause) === 409;
    if (!madeMeanwhile) throw error;
  }
}

function buildVectorConfig({ embedding }: Collection, { quantized }: CollectionLayout): Schemas['CreateCollection'] {
  const words = { sparse_vectors: { lexical: {} } };
  if (embedding === null) return { vectors: {}, ...words };
  return {
    ...words,
    vectors: { dense: { size: embedding.dimensions, distance: 'Cosine', on_disk: quantized } },
    // Builds one graph per datastore instead of one graph for all organizations, because a query searches only
    // datastores of one organization.
    hnsw_config: { m: 0, payload_m: LINKS_PER_POINT },
    ...(quantized ? { quantization_config: { scalar: { type: 'int8', always_ram: true } } } : {}),
  };
}
