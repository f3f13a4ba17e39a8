import { createFieldProblem } from '../checks/field-problem.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import { lockDatasourceAndDatastore } from '../datasources/datasource-repository.js';
import type { Gateway } from '../gateway.js';
import { isDocumentRow } from '../runs/start/build-sync-job.js';
import { startRuns } from '../runs/start/start-runs.js';
import { type FileAttributes, replaceAttributes } from './attach-files.js';

/**
 * Replaces the attributes of a file or text, and starts a run that indexes the file or text again. Keeps those metadata
 * whose values cannot be attributes, such as lists. Starts no run if the attributes have not changed.
 *
 * @throws Problem 404 if there is no such datasource; 400 for a datasource of several documents
 */
export async function updateFileAttributes(
  { db, clock, outboxWritten, changes }: Pick<Gateway, 'db' | 'clock' | 'outboxWritten' | 'changes'>,
  { organizationId, id }: Pick<DatasourceRow, 'organizationId' | 'id'>,
  attributes: FileAttributes,
): Promise<void> {
  const isStarted = await db.transaction(async (tx) => {
    const { row, datastore } = await lockDatasourceAndDatastore(tx, organizationId, id);
    if (!isDocumentRow(row)) {
      const message = `can be set for files and texts only, found a datasource of the type ${row.type}`;
      throw createFieldProblem('attributes', message);
    }
    const metadata = replaceAttributes(row.metadata, attributes);
    if (metadata === row.metadata) return false;
    await startRuns(tx, datastore, [{ ...row, metadata }], { now: clock(), jobClass: 'interactive' });
    return true;
  });
  if (!isStarted) return;
  outboxWritten.wake();
  changes.publish({ kind: 'datasource', id });
}
