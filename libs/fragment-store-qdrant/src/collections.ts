import { collectionName, type Collection } from '@quarry/fragment-store';
import type { Schemas } from '@qdrant/js-client-rest';
import type { QdrantConnection } from './connection.js';
import type { CollectionLayout } from './options.js';
import { statusOf, QdrantFailure } from './qdrant-failure.js';

/**
 * From so many points on a segment is rewritten when a fifth of it was deleted. The server's own 1,000 keeps a small
 * collection under rewriting all the time while documents are replaced, to save a few megabytes.
 */
const WORTH_REWRITING = 20_000;

/** Links of a fragment to its neighbours, among those of its datastore. */
const LINKS = 16;

/**
 * Where a collection is kept. Fragments and documents apart: a document is one point, whose change, unlike that of many
 * points, is seen by everybody at the same instant.
 */
export interface CollectionNames {
  readonly fragments: string;
  readonly documents: string;
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
  document_id: KEYWORD,
  commit: KEYWORD,
  generation: { type: 'integer', lookup: false, range: true },
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

export function collectionNames(collection: Collection): CollectionNames {
  const fragments = collectionName(collection);
  return { fragments, documents: documentsOf(fragments) };
}

function documentsOf(fragments: string): string {
  return `${fragments}-documents`;
}

/** Makes what is not there yet. Any number of processes may do it at the same time. */
export async function prepareCollection(
  connection: QdrantConnection,
  collection: Collection,
  layout: CollectionLayout,
): Promise<void> {
  const { fragments, documents } = collectionNames(collection);
  const spread = {
    shard_number: layout.shards,
    replication_factor: layout.replicas,
    optimizers_config: { vacuum_min_vector_number: WORTH_REWRITING },
  };
  await prepare(connection, documents, { vectors: {}, ...spread }, DOCUMENT_INDEXES);
  await prepare(connection, fragments, { ...vectorsOf(collection, layout), ...spread }, FRAGMENT_INDEXES);
}

/** Gives all collections there are the indexes that this version needs and the one that made them did not. */
export async function upgradeCollections(connection: QdrantConnection): Promise<void> {
  const { collections } = await connection.ask('list the collections', (client) => client.getCollections());
  const names = new Set(collections.map(({ name }) => name));
  for (const fragments of names) {
    const documents = documentsOf(fragments);
    if (!names.has(documents)) continue;
    await index(connection, documents, DOCUMENT_INDEXES);
    await index(connection, fragments, FRAGMENT_INDEXES);
  }
}

async function prepare(
  connection: QdrantConnection,
  name: string,
  config: Schemas['CreateCollection'],
  indexes: Readonly<Record<string, IndexSchema>>,
): Promise<void> {
  const { exists } = await connection.ask(`look for ${name}`, (client) => client.collectionExists(name));
  if (!exists) await create(connection, name, config);
  await index(connection, name, indexes);
}

/** Making one that is there changes nothing. */
async function index(
  connection: QdrantConnection,
  name: string,
  indexes: Readonly<Record<string, IndexSchema>>,
): Promise<void> {
  for (const [field_name, field_schema] of Object.entries(indexes)) {
    await connection.ask(`index ${field_name} of ${name}`, (client) =>
      client.createPayloadIndex(name, { field_name, field_schema, wait: true }),
    );
  }
}

async function create(connection: QdrantConnection, name: string, config: Schemas['CreateCollection']): Promise<void> {
  try {
    await connection.ask(`make ${name}`, (client) => client.createCollection(name, config));
  } catch (error) {
    const madeMeanwhile = error instanceof QdrantFailure && statusOf(error.cause) === 409;
    if (!madeMeanwhile) throw error;
  }
}

function vectorsOf({ embedding }: Collection, { quantized }: CollectionLayout): Schemas['CreateCollection'] {
  const words = { sparse_vectors: { lexical: { modifier: 'idf' as const } } };
  if (embedding === null) return { vectors: {}, ...words };
  return {
    ...words,
    vectors: { dense: { size: embedding.dimensions, distance: 'Cosine', on_disk: quantized } },
    // No graph over all tenants, one for each: nobody searches more than the datastores of one organization.
    hnsw_config: { m: 0, payload_m: LINKS },
    ...(quantized ? { quantization_config: { scalar: { type: 'int8', always_ram: true } } } : {}),
  };
}
