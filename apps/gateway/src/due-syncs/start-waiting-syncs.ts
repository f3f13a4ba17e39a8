import { and, asc, eq, gt, isNull, lt } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { organizations } from '../database/tables/organizations.js';
import { runs } from '../database/tables/runs.js';
import { lockWithDatastore } from '../datasources/datasource-repository.js';
import { isInPresentDatastore } from '../datastores/present-datastores.js';
import { startEach } from '../runs/start-each.js';
import { startRuns } from '../runs/start-runs.js';
import { runKindOf } from '../datasources/sync-datasource.js';
import type { Gateway } from '../gateway.js';

type StartDependencies = Pick<Gateway, 'db' | 'clock' | 'log' | 'outboxWritten'>;

const BATCH = 100;
const MAX_STARTED = 100;

/**
 * Starts the syncs that reached the limit of stored tokens before it was last raised. A run that begins later and reaches the
 * limit is not started again, so that the work ends. Several gateways may do so at once.
 *
 * @returns the number of started syncs; there may be more
 */
export async function startWaitingSyncs(gateway: StartDependencies): Promise<number> {
  let started = 0;
  let after: string | undefined;
  do {
    const waiting = await findWaiting(gateway.db, after);
    started += await startEach(gateway, waiting, {
      start: async (tx, row) => startIfWaiting(tx, row, gateway.clock()),
      problem: 'a sync that waited for a higher limit of stored tokens could not be started',
    });
    after = waiting.length < BATCH ? undefined : waiting.at(-1)?.id;
  } while (after !== undefined && started < MAX_STARTED);
  return started;
}

type Waiting = Pick<DatasourceRow, 'id' | 'organizationId' | 'runId'>;

/**
 * Finds waiting datasources. @param after the last id that was read, so that datasources that cannot be started do not block the
 * others
 */
async function findWaiting(db: Queries, after: string | undefined): Promise<readonly Waiting[]> {
  const { id, organizationId, runId, status } = datasources;
  return db
    .select({ id, organizationId, runId })
    .from(datasources)
    .innerJoin(organizations, eq(organizations.id, organizationId))
    .innerJoin(runs, eq(runs.id, runId))
    .where(
      and(
        eq(status, 'usage_limit_reached'),
        isNull(organizations.removedAt),
        isInPresentDatastore(),
        lt(runs.createdAt, organizations.roomSince),
        after === undefined ? undefined : gt(id, after),
      ),
    )
    .orderBy(asc(id))
    .limit(BATCH);
}

/** Starts a run. @returns false when another gateway has started one */
async function startIfWaiting(tx: Queries, { id, organizationId, runId }: Waiting, now: Date): Promise<boolean> {
  const { row, datastore } = await lockWithDatastore(tx, organizationId, id);
  if (row.runId !== runId) return false;
  await startRuns(tx, datastore, [row], { now, kind: runKindOf(row, {}) });
  return true;
}
