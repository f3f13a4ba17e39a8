import { Problem } from '@quarry/service-kit';
import { and, eq, inArray } from 'drizzle-orm';
import { datasources } from '../database/tables/datasources.js';
import { cancelDatasource } from '../datasources/cancel-datasource.js';
import type { DatastoreKey } from '../datastores/datastore-repository.js';
import type { Gateway } from '../gateway.js';

/**
 * Codes of the problems that are ignored. They occur if, after the files were listed, a run has ended or its file was
 * removed.
 */
const SETTLED_MEANWHILE: readonly string[] = ['nothing_to_cancel', 'not_found'];

/**
 * Cancels the runs in progress that index the files of a batch. Files that are already indexed stay in the vector
 * store.
 */
export async function cancelFileBatch(
  { db, clock, changes }: Pick<Gateway, 'db' | 'clock' | 'changes'>,
  { organizationId, id: datastoreId }: DatastoreKey,
  batchId: string,
): Promise<void> {
  const isInBatch = and(
    eq(datasources.organizationId, organizationId),
    eq(datasources.datastoreId, datastoreId),
    eq(datasources.groupId, batchId),
    inArray(datasources.status, ['pending', 'running']),
  );
  for (const { id } of await db.select({ id: datasources.id }).from(datasources).where(isInBatch)) {
    await cancelDatasource({ db, clock }, organizationId, id).catch((error: unknown) => {
      if (!(error instanceof Problem && SETTLED_MEANWHILE.includes(error.code))) throw error;
    });
    changes.publish({ kind: 'datasource', id });
  }
}
