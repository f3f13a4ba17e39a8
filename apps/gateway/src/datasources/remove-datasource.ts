import { eq } from 'drizzle-orm';
import { queueSourceErasures } from '../removals/erase-source-texts.js';
import type { Queries } from '../database/database.js';
import { datasources } from '../database/tables/datasources.js';
import { deleteJobsOfRuns } from '../outbox/outbox.js';
import { writeRemovals } from '../removals/removals.js';
import { markBlobsDiscarded } from '../blobs/discarded-blobs.js';
import { lockDatasourceAndDatastore } from './datasource-repository.js';

/**
 * Deletes a datasource with its runs. Searches exclude its fragments immediately. Background jobs delete fragments and
 * blobs later.
 *
 * @throws Problem 404 if there is no such datasource
 */
export async function removeDatasource(db: Queries, organizationId: string, id: string, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const { row, datastore } = await lockDatasourceAndDatastore(tx, organizationId, id);
    const { embedding } = datastore;
    const payload = {
      ...{ organizationId, datastoreId: datastore.id, datasourceId: id },
      ...(embedding === null ? {} : { embedding }),
    };
    await writeRemovals(tx, organizationId, [{ kind: 'datasource', payload }], now);
    if (row.blobKey !== null)
      await markBlobsDiscarded(tx, organizationId, [{ key: row.blobKey, datasourceId: id }], now);
    await queueSourceErasures(tx, eq(datasources.id, id), now);
    if (row.runId !== null) await deleteJobsOfRuns(tx, [row.runId]);
    await tx.delete(datasources).where(eq(datasources.id, id));
  });
}
