import type { Table } from '@lancedb/lancedb';
import { dropOutdatedEntriesIndex, createEntriesIndexIfMissing } from './entries-index.js';
import { buildEqualsCondition } from './filters.js';
import type { MaintenancePolicy } from './maintenance.js';
import type { Mutex } from './mutex.js';
import { createVectorIndexIfDue } from './vector-index.js';

/**
 * Optimizes a table after writes: merges small files, indexes new rows, and deletes versions that are older than the
 * retention time. Searches and additions of rows continue during the optimization. Changes of existing rows wait for
 * the mutex `rewriting`.
 *
 * @returns true if the table still has old versions
 */
export async function optimizeTable(
  table: Table,
  rewriting: Mutex,
  { retentionMs, vectorIndexFrom }: Pick<MaintenancePolicy, 'retentionMs' | 'vectorIndexFrom'>,
): Promise<boolean> {
  await rewriting.runExclusively(async () => {
    await table.delete(buildEqualsCondition('organization_id', ''));
    await dropOutdatedEntriesIndex(table);
    await table.optimize({ cleanupOlderThan: new Date(Date.now() - retentionMs) });
  });
  await createEntriesIndexIfMissing(table);
  await createVectorIndexIfDue(table, vectorIndexFrom);
  return (await table.listVersions()).length > 1;
}
