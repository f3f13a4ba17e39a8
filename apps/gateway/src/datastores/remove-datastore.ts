import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { queueSourceErasures } from '../removals/erase-sources.js';
import type { Queries } from '../database/database.js';
import { datasources } from '../database/tables/datasources.js';
import { datastores } from '../database/tables/datastores.js';
import { releaseDatastoreTokens } from '../usage/settle-tokens.js';
import { discardedBlobs } from '../database/tables/discarded-blobs.js';
import { createNotFoundProblem } from '../checks/require-id.js';
import { writeRemovals } from '../removals/removals.js';

/**
 * Deletes a datastore with its datasources. Background jobs delete fragments and blobs later. Agents that use the datastore remain
 * and search their other datastores.
 *
 * @throws Problem 404
 */
export async function removeDatastore(db: Queries, organizationId: string, id: string, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const isThis = and(eq(datastores.organizationId, organizationId), eq(datastores.id, id));
    const [row] = await tx.select().from(datastores).where(isThis).for('update');
    if (row === undefined) throw createNotFoundProblem('datastore', id);
    await releaseDatastoreTokens(tx, id);
    await discardDatastoreBlobs(tx, organizationId, id, now);
    const { embedding } = row;
    const payload = {
      ...{ organizationId, datastoreId: id },
      ...(embedding === null ? {} : { embedding }),
    };
    await writeRemovals(tx, organizationId, [{ kind: 'datastore', payload }], now);
    await queueSourceErasures(tx, eq(datasources.datastoreId, id), now);
    await tx.delete(datastores).where(isThis);
  });
}

/** Marks the blobs of all datasources of a datastore for removal. */
async function discardDatastoreBlobs(
  tx: Queries,
  organizationId: string,
  datastoreId: string,
  now: Date,
): Promise<void> {
  const blobs = tx
    .select({
      key: sql<string>`${datasources.blobKey}`.as('key'),
      organizationId: datasources.organizationId,
      datasourceId: datasources.id,
      removeAfter: sql<Date>`${now.toISOString()}::timestamptz`.as('remove_after'),
    })
    .from(datasources)
    .where(
      and(
        eq(datasources.organizationId, organizationId),
        eq(datasources.datastoreId, datastoreId),
        isNotNull(datasources.blobKey),
      ),
    );
  await tx.insert(discardedBlobs).select(blobs);
}
