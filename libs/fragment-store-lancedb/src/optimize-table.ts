import { Index, type Table } from '@lancedb/lancedb';
import { dropOutdatedEntriesIndex, createEntriesIndexIfMissing } from './entries-index.js';
import { buildEqualsCondition } from './filters.js';
import type { MaintenancePolicy } from './maintenance.js';
import type { Mutex } from './mutex.js';

/**
 * Optimizes a table after writes: merges small files, indexes new rows, and deletes old versions. Searches and
 * additions of rows continue meanwhile. Changes of existing rows are excluded by `rewriting`.
 */
export async function optimizeTable(
  table: Table,
  rewriting: Mutex,
  { retentionMs, vectorIndexFrom }: Pick<MaintenancePolicy, 'retentionMs' | 'vectorIndexFrom'>,
): Promise<void> {
  await rewriting.runExclusively(async () => {
    await table.delete(buildEqualsCondition('organization_id', ''));
    await dropOutdatedEntriesIndex(table);
    await table.optimize({ cleanupOlderThan: new Date(Date.now() - retentionMs) });
  });
  await createEntriesIndexIfMissing(table);
  const { fields } = await table.schema();
  if (fields.some(({ name }) => name === 'vector')) await createVectorIndexIfLarge(table, vectorIndexFrom);
}

/**
 * Creates an index that partitions the vectors and stores them exactly. An update of this index takes seconds, while an
 * update of a graph index takes about a minute.
 */
async function createVectorIndexIfLarge(table: Table, from: number): Promise<void> {
  if ((await table.countRows()) < from) return;
  const indexes = await table.listIndices();
  if (indexes.some(({ columns }) => columns.includes('vector'))) return;
  await table.createIndex('vector', { config: Index.ivfFlat({ distanceType: 'cosine' }) });
}
