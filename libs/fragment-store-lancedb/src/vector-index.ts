import { Index, type Table, type VectorQuery } from '@lancedb/lancedb';
import { readVectorDimensions } from './table-columns.js';

/** Factor by which the number of rows of a table must have grown before its vector index is created again. */
const MAX_GROWTH = 2;

/**
 * Prefix of the name of a vector index. The rest of the name is the number of rows that the table had when the index
 * was created.
 */
const NAME_PREFIX = 'vectors_of_';

/**
 * Settings of the k-means algorithm that computes the partitions: sampled rows per partition, and iterations. The
 * values are lower than LanceDB's defaults, 256 and 50, to shorten the creation of an index.
 */
const K_MEANS = { sampleRate: 64, maxIterations: 20 };

/**
 * Minimum number of dimensions of vectors that are compressed to one bit per dimension. Fewer bits describe a vector
 * too inaccurately.
 */
const MIN_COMPRESSED_DIMENSIONS = 256;
/** Number of dimensions per byte of a compressed vector, which has one bit per dimension and only whole bytes. */
const DIMENSIONS_PER_BYTE = 8;

/** Minimum number of rows whose vectors an unfiltered search of the index compares with the query. */
const MIN_COMPARED_ROWS = 10_000;
/**
 * Minimum share of the rows of a table whose vectors an unfiltered search of the index compares. In tables of more than
 * about 143,000 rows (10,000 / 0.07), this share is more than `MIN_COMPARED_ROWS`.
 */
const MIN_COMPARED_SHARE = 0.07;

/**
 * Number of rows per requested result that a search compares again by their exact vectors, after it has compared
 * compressed vectors.
 */
const EXACT_PER_RESULT = 4;

/**
 * Creates the index of a table's vectors if the table has at least `minRows` rows. Creates the index again after the
 * table has grown, because its number of partitions does not grow, and a search compares whole partitions.
 *
 * The index contains one bit per dimension of each vector, unless the vectors have few dimensions. Searches compare the
 * best matches again by their exact vectors. An update of this index takes seconds, while an update of a graph index
 * takes about a minute.
 */
export async function createVectorIndexIfDue(table: Table, minRows: number): Promise<void> {
  const dimensions = await readVectorDimensions(table);
  const rows = await table.countRows();
  if (dimensions === null || rows < minRows) return;
  const existing = (await table.listIndices())
    .filter(({ columns }) => columns.includes('vector'))
    .map(({ name }) => ({ name, rowsAtCreation: parseRowsAtCreation(name) }))
    .sort((one, other) => other.rowsAtCreation - one.rowsAtCreation);
  const [newest, ...outdated] = existing;
  // A process that was killed after the creation of an index left the previous index.
  for (const { name } of outdated) await table.dropIndex(name);
  if (newest !== undefined && rows < MAX_GROWTH * newest.rowsAtCreation) return;
  const config = createIndexConfig(dimensions, rows);
  await table.createIndex('vector', { config, name: `${NAME_PREFIX}${String(rows)}` });
  if (newest !== undefined) await table.dropIndex(newest.name);
}

/**
 * Configures how many partitions of the index a query searches. The nearest vectors are in about the same share of the
 * partitions in tables of all sizes. The fewer rows a filter matches, the farther away are the nearest matching
 * vectors, and the more partitions must be searched. All partitions are searched if the result would otherwise have too
 * few rows.
 *
 * @param matchingRows number of rows that match the filter of the query
 */
export function configureIndexedSearch(query: VectorQuery, tableRows: number, matchingRows: number): VectorQuery {
  const share = Math.max(MIN_COMPARED_ROWS / tableRows, MIN_COMPARED_SHARE) * Math.sqrt(tableRows / matchingRows);
  const partitions = computePartitionCount(tableRows);
  const probes = Math.ceil(Math.min(1, share) * partitions);
  // The driver searches more partitions than the minimum only if it has found fewer rows than the query requests. The
  // maximum must be set first, because the minimum must not exceed it.
  return query.maximumNprobes(partitions).minimumNprobes(probes).refineFactor(EXACT_PER_RESULT);
}

function createIndexConfig(dimensions: number, rows: number): Index {
  const options = { ...K_MEANS, distanceType: 'cosine', numPartitions: computePartitionCount(rows) } as const;
  const isCompressed = dimensions >= MIN_COMPRESSED_DIMENSIONS && dimensions % DIMENSIONS_PER_BYTE === 0;
  return isCompressed ? Index.ivfRq(options) : Index.ivfFlat(options);
}

function computePartitionCount(rows: number): number {
  return Math.ceil(Math.sqrt(rows));
}

/**
 * Returns the number of rows that a table had when an index was created. Returns 0 for an index of an earlier version
 * of Quarry.
 */
function parseRowsAtCreation(indexName: string): number {
  return indexName.startsWith(NAME_PREFIX) ? Number(indexName.slice(NAME_PREFIX.length)) : 0;
}
