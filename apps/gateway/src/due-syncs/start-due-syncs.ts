import { isSettledStatus } from '@quarry/contracts';
import { and, asc, eq, isNull, lte, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { datastores } from '../database/tables/datastores.js';
import { organizations } from '../database/tables/organizations.js';
import { runs } from '../database/tables/runs.js';
import { isFullSync } from '../datasources/sync-datasource.js';
import { buildPresentDatastoreCondition } from '../datastores/datastore-repository.js';
import { startRunForEach } from '../runs/start/start-run-for-each.js';
import { startRuns } from '../runs/start/start-runs.js';
import type { Gateway } from '../gateway.js';
import { planDueSync } from '../schedule/schedule.js';

/** Maximum number of syncs that one call starts. */
const MAX_STARTED = 50;
/**
 * Delay in milliseconds after which a due sync is tried again: a sync whose start failed, or a full sync that another
 * run prevented.
 */
const RETRY_MS = 5 * 60_000;

/**
 * Starts the syncs whose scheduled time has come. If a run of the datasource is in progress, the sync is skipped. A
 * full sync is instead postponed by 5 minutes, unless that run is a full sync, because only a full sync finds removed
 * documents. Several gateways can call this at once. The gateway that locks a datasource starts the sync and sets the
 * time of the next sync. The other gateways skip the locked row.
 *
 * @returns the number of started syncs
 */
export async function startDueSyncs(
  gateway: Pick<Gateway, 'db' | 'clock' | 'log' | 'outboxWritten' | 'changes'>,
): Promise<number> {
  const now = gateway.clock();
  const due = await gateway.db
    .select({ id: datasources.id, datastoreId: datasources.datastoreId })
    .from(datasources)
    .innerJoin(organizations, eq(organizations.id, datasources.organizationId))
    .where(and(lte(datasources.nextSyncAt, now), isNull(organizations.removedAt), buildPresentDatastoreCondition()))
    .orderBy(asc(datasources.nextSyncAt))
    .limit(MAX_STARTED);
  return startRunForEach(gateway, due, {
    start: async (tx, candidate) => startSyncIfDue(tx, candidate, now),
    problem: 'failed to start a due sync',
    postpone: async ({ id }) => {
      const nextSyncAt = new Date(now.getTime() + RETRY_MS);
      await gateway.db.update(datasources).set({ nextSyncAt }).where(buildDueCondition(id, now));
    },
  });
}

type DueDatasource = Pick<DatasourceRow, 'id' | 'datastoreId'>;

/**
 * Starts the sync of a datasource if it is still due and not locked by another gateway. Locks the datastore before the
 * datasource, as every transaction does, so that transactions cannot deadlock.
 *
 * @returns true if a sync was started
 */
async function startSyncIfDue(tx: Queries, { id, datastoreId }: DueDatasource, now: Date): Promise<boolean> {
  const isPresent = and(eq(datastores.id, datastoreId), isNull(datastores.removedAt));
  const [datastore] = await tx.select().from(datastores).where(isPresent).for('key share');
  const [row] = await tx
    .select()
    .from(datasources)
    .where(buildDueCondition(id, now))
    .for('update', { skipLocked: true });
  if (datastore === undefined || row === undefined) return false;
  const { mode, next } = planDueSync(row, now);
  if (row.runId !== null && !isSettledStatus(row.status)) {
    const [run] = await tx.select().from(runs).where(eq(runs.id, row.runId));
    const isMissed = mode === 'full' && !isFullSync(run);
    const planned = isMissed ? { nextSyncAt: new Date(now.getTime() + RETRY_MS) } : next;
    await tx.update(datasources).set(planned).where(eq(datasources.id, id));
    return false;
  }
  await startRuns(tx, datastore, [{ ...row, ...next }], { now, kind: { mode, dryRun: false } });
  return true;
}

/** Builds the SQL condition that selects a datasource if the time of its next scheduled sync has come. */
function buildDueCondition(id: string, now: Date): SQL | undefined {
  return and(eq(datasources.id, id), lte(datasources.nextSyncAt, now));
}
