import { and, asc, desc, eq, inArray, isNotNull, isNull, notExists, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { queueSourceErasures } from '../removals/erase-source-texts.js';
import type { Queries } from '../database/database.js';
import { redactQueryParameters } from '../database/query-error.js';
import { datasources } from '../database/tables/datasources.js';
import { datastores, type DatastoreRow } from '../database/tables/datastores.js';
import { discardedBlobs } from '../database/tables/discarded-blobs.js';
import { documents } from '../database/tables/documents.js';
import { organizations } from '../database/tables/organizations.js';
import { runDocuments } from '../database/tables/run-documents.js';
import { runs } from '../database/tables/runs.js';
import { tokenReservations } from '../database/tables/token-reservations.js';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';
import type { Gateway } from '../gateway.js';
import { writeRemovals } from '../removals/removals.js';
import type { DatastoreKey } from './datastore-repository.js';

type RemovalParts = Pick<Gateway, 'db' | 'log' | 'clock' | 'outboxWritten'>;

/**
 * Maximum number of removal steps per request. Two steps suffice to remove a small datastore: one for its datasources,
 * and one for the datastore itself.
 */
const STEPS_PER_REQUEST = 2;
/** Number of removal steps after which a run of the watchdog ends. */
const STEPS_PER_RUN = 200;
/** Maximum number of datastores that one run of the watchdog continues to remove. */
const DATASTORES_PER_RUN = 100;

/**
 * Removes a datastore. First hides it from all requests by setting `removedAt`. Agents that use it continue without it.
 * The watchdog removes the datasources that this call does not remove.
 *
 * @throws Problem 404 if there is none
 */
export async function removeDatastore(gateway: RemovalParts, datastore: DatastoreKey): Promise<void> {
  await hideDatastore(gateway.db, datastore, gateway.clock());
  gateway.outboxWritten.wake();
  for (let step = 0; step < STEPS_PER_REQUEST; step += 1)
    if ((await runRemovalStep(gateway, datastore)) !== 'more') return;
}

/**
 * Continues to remove the content of datastores that are hidden because of their removal. Alternates between the
 * datastores, so that a large datastore does not delay the removal of other datastores. For the same reason, leaves the
 * datastores of deleted organizations to `continueOrganizationRemovals`.
 */
export async function continueDatastoreRemovals(gateway: RemovalParts): Promise<void> {
  let hidden: readonly DatastoreKey[] = await gateway.db
    .select({ organizationId: datastores.organizationId, id: datastores.id })
    .from(datastores)
    .innerJoin(organizations, eq(organizations.id, datastores.organizationId))
    .where(and(isNotNull(datastores.removedAt), isNull(organizations.removedAt)))
    .orderBy(asc(datastores.removedAt))
    .limit(DATASTORES_PER_RUN);
  for (let steps = 0; hidden.length > 0 && steps < STEPS_PER_RUN; steps += hidden.length) {
    const unfinished: DatastoreKey[] = [];
    for (const datastore of hidden)
      if ((await runRemovalStep(gateway, datastore)) === 'more') unfinished.push(datastore);
    hidden = unfinished;
  }
}

/**
 * Runs one step of the removal of a datastore. Never throws: an error is only logged, because the watchdog repeats the
 * step, and the datastore is already invisible.
 */
async function runRemovalStep(
  { db, log, clock }: RemovalParts,
  datastore: DatastoreKey,
): Promise<'removed' | 'more' | 'failed'> {
  try {
    return (await removeNextDatastoreContent(db, datastore, clock())) ? 'removed' : 'more';
  } catch (error) {
    const fields = { datastoreId: datastore.id, err: redactQueryParameters(error) };
    log.warn(fields, 'failed to remove content of a deleted datastore; the watchdog will continue');
    return 'failed';
  }
}

/**
 * Hides a datastore from all requests, searches and workers, and enqueues the job that removes its fragments.
 *
 * @throws Problem 404 if it does not exist or is already hidden
 */
export async function hideDatastore(db: Queries, { organizationId, id }: DatastoreKey, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const isThis = and(
      eq(datastores.organizationId, organizationId),
      eq(datastores.id, id),
      isNull(datastores.removedAt),
    );
    const [row] = await tx.select().from(datastores).where(isThis).for('update');
    if (row === undefined) throw createNotFoundProblem('datastore', id);
    await hideLockedDatastores(tx, organizationId, [row], now);
  });
}

/** Maximum number of datastores that one transaction hides. */
const MAX_HIDDEN = 500;

/** Hides at most 500 datastores of an organization, as `hideDatastore` does. @returns the number of hidden datastores */
export async function hideNextDatastores(db: Queries, organizationId: string, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .select()
      .from(datastores)
      .where(and(eq(datastores.organizationId, organizationId), isNull(datastores.removedAt)))
      .orderBy(asc(datastores.id))
      .limit(MAX_HIDDEN)
      .for('update');
    if (rows.length > 0) await hideLockedDatastores(tx, organizationId, rows, now);
    return rows.length;
  });
}

async function hideLockedDatastores(
  tx: Queries,
  organizationId: string,
  rows: readonly DatastoreRow[],
  now: Date,
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  await tx
    .update(datastores)
    .set({ removedAt: now })
    .where(and(eq(datastores.organizationId, organizationId), inArray(datastores.id, ids)));
  const removals = rows.map(({ id: datastoreId, embedding }) => ({
    kind: 'datastore' as const,
    payload: { organizationId, datastoreId, ...(embedding === null ? {} : { embedding }) },
  }));
  await writeRemovals(tx, organizationId, removals, now);
}

/** Maximum number of datasources that a removal step processes. */
const MAX_DATASOURCES = 500;
/** Maximum number of rows that a removal step deletes from each table other than `datasources`. */
const MAX_ROWS = 5_000;

/**
 * Runs one step of the removal of a hidden datastore, in a short transaction: deletes rows of at most 500 datasources,
 * or if no datasource is left, the datastore itself. Several gateways can run steps concurrently: each gateway skips
 * the rows that another gateway has locked.
 *
 * @returns true when the datastore is removed
 */
export async function removeNextDatastoreContent(db: Queries, datastore: DatastoreKey, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const ids = await lockNextDatasources(tx, datastore);
    if (ids.length === 0) return deleteDatastoreIfEmpty(tx, datastore);
    // The token reservations are deleted last, because deleting them locks the token total of the organization.
    for (const table of [runDocuments, documents, runs, tokenReservations]) {
      if ((await deleteDatasourceRows(tx, table, ids)) === MAX_ROWS) return false;
    }
    const isRemoved = sql`${datasources.id} = any(${sql.param(ids)}::uuid[])`;
    await markDatasourceBlobsDiscarded(tx, isRemoved, now);
    await queueSourceErasures(tx, isRemoved, now);
    await tx.delete(datasources).where(isRemoved);
    return false;
  });
}

/**
 * Locks the datasources to remove in this step, beginning with the newest. Lists show the newest datasources first, so
 * this reduces the number of removed datasources that lists must skip.
 */
async function lockNextDatasources(tx: Queries, { organizationId, id }: DatastoreKey): Promise<readonly string[]> {
  const rows = await tx
    .select({ id: datasources.id })
    .from(datasources)
    .where(and(eq(datasources.organizationId, organizationId), eq(datasources.datastoreId, id)))
    .orderBy(desc(datasources.id))
    .limit(MAX_DATASOURCES)
    .for('update', { skipLocked: true });
  return rows.map((row) => row.id);
}

/**
 * Deletes at most 5,000 of the rows of a table that belong to the given datasources.
 *
 * @returns the number of deleted rows
 */
async function deleteDatasourceRows(
  tx: Queries,
  table: PgTable & { readonly datasourceId: PgColumn },
  datasourceIds: readonly string[],
): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    delete from ${table} where ctid = any(array(
      select ctid from ${table} where ${table.datasourceId} = any(${sql.param(datasourceIds)}::uuid[]) limit ${MAX_ROWS}))`);
  return rowCount ?? 0;
}

/** Marks the blobs of those datasources for removal that meet a condition. */
async function markDatasourceBlobsDiscarded(tx: Queries, condition: SQL, now: Date): Promise<void> {
  const blobs = tx
    .select({
      key: sql<string>`${datasources.blobKey}`.as('key'),
      organizationId: datasources.organizationId,
      datasourceId: datasources.id,
      removeAfter: sql<Date>`${now.toISOString()}::timestamptz`.as('remove_after'),
    })
    .from(datasources)
    .where(and(condition, isNotNull(datasources.blobKey)));
  await tx
    .insert(discardedBlobs)
    .select(blobs)
    .onConflictDoUpdate({ target: discardedBlobs.key, set: { removeAfter: now } });
}

/** Deletes the row of a hidden datastore, unless it still has datasources. @returns true if it is deleted */
async function deleteDatastoreIfEmpty(tx: Queries, { organizationId, id }: DatastoreKey): Promise<boolean> {
  const isThis = and(eq(datastores.organizationId, organizationId), eq(datastores.id, id));
  const remaining = tx
    .select({ one: sql`1` })
    .from(datasources)
    .where(and(eq(datasources.organizationId, organizationId), eq(datasources.datastoreId, id)));
  // Taking the lock waits for transactions that are adding a datasource, so that the next statement finds their
  // datasources.
  await tx.select({ id: datastores.id }).from(datastores).where(isThis).for('update');
  await tx.delete(datastores).where(and(isThis, isNotNull(datastores.removedAt), notExists(remaining)));
  return (await tx.$count(datastores, isThis)) === 0;
}
