import { and, asc, eq, gt, isNull, lt } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { organizations } from '../database/tables/organizations.js';
import { runs, type RunRow } from '../database/tables/runs.js';
import { lockDatasourceAndDatastore } from '../datasources/datasource-repository.js';
import { buildPresentDatastoreCondition } from '../datastores/datastore-repository.js';
import { startRunForEach } from '../runs/start/start-run-for-each.js';
import { startRuns } from '../runs/start/start-runs.js';
import { chooseRunKind, isFullSync } from '../datasources/sync-datasource.js';
import type { Gateway } from '../gateway.js';

type StartDependencies = Pick<Gateway, 'db' | 'clock' | 'log' | 'outboxWritten' | 'changes'>;

/** Number of waiting datasources that are read from the database at once. */
const BATCH_SIZE = 100;
/** Number of started syncs after which a call reads no further batch. */
const MAX_STARTED = 100;

/**
 * Syncs datasources again whose latest run reached the limit of stored tokens and began before the limit was last
 * raised. A full sync is repeated as a full sync, because an incremental sync may not read the items again that were not
 * stored. If a run that began after a raise reaches the limit, it is repeated only after the next raise. Several
 * gateways can call this at once.
 *
 * @returns the number of started syncs; more datasources may be waiting
 */
export async function startWaitingSyncs(gateway: StartDependencies): Promise<number> {
  let started = 0;
  let after: string | undefined;
  do {
    const waiting = await findWaitingDatasources(gateway.db, after);
    started += await startRunForEach(gateway, waiting, {
      start: async (tx, row) => startSyncIfWaiting(tx, row, gateway.clock()),
      problem: 'failed to start a sync that had waited for a higher limit of stored tokens',
    });
    after = waiting.length < BATCH_SIZE ? undefined : waiting.at(-1)?.id;
  } while (after !== undefined && started < MAX_STARTED);
  return started;
}

interface WaitingDatasource extends Pick<DatasourceRow, 'id' | 'organizationId'> {
  /** The run that reached the limit. */
  readonly run: Pick<RunRow, 'id' | 'mode' | 'dryRun'>;
}

/**
 * Finds a batch of datasources that wait for a higher limit of stored tokens, ordered by id.
 *
 * @param after the last id of the previous batch, so that datasources whose syncs cannot be started do not block the
 * following ones
 */
async function findWaitingDatasources(db: Queries, after: string | undefined): Promise<readonly WaitingDatasource[]> {
  const { id, organizationId, runId, status } = datasources;
  return db
    .select({ id, organizationId, run: { id: runs.id, mode: runs.mode, dryRun: runs.dryRun } })
    .from(datasources)
    .innerJoin(organizations, eq(organizations.id, organizationId))
    .innerJoin(runs, eq(runs.id, runId))
    .where(
      and(
        eq(status, 'usage_limit_reached'),
        isNull(organizations.removedAt),
        buildPresentDatastoreCondition(),
        lt(runs.createdAt, organizations.roomSince),
        after === undefined ? undefined : gt(id, after),
      ),
    )
    .orderBy(asc(id))
    .limit(BATCH_SIZE);
}

/** Starts a run of a waiting datasource. @returns false if a newer run than `run` has been started */
async function startSyncIfWaiting(
  tx: Queries,
  { id, organizationId, run }: WaitingDatasource,
  now: Date,
): Promise<boolean> {
  const { row, datastore } = await lockDatasourceAndDatastore(tx, organizationId, id);
  if (row.runId !== run.id) return false;
  await startRuns(tx, datastore, [row], { now, kind: chooseRunKind(row, { full: isFullSync(run) }) });
  return true;
}
