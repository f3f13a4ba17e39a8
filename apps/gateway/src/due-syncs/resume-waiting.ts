import { and, asc, eq, gt, isNull, lt } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { organizations } from '../database/tables/organizations.js';
import { runs } from '../database/tables/runs.js';
import { lockWithDatastore } from '../datasources/lock-with-datastore.js';
import { startEach } from '../runs/start-each.js';
import { startRuns } from '../runs/start-runs.js';
import { kindOf } from '../datasources/sync-datasource.js';
import type { Gateway } from '../gateway.js';

type Resuming = Pick<Gateway, 'db' | 'clock' | 'log' | 'outboxWritten'>;

const AT_ONCE = 100;
const MOST_STARTED = 100;

/**
 * Syncs what waits for room since before its organization's limit of stored tokens was raised. A run that was begun after that
 * and found no room is not begun again, so this comes to an end. Any number of gateways may do so at once.
 *
 * @returns how many were started; there may be more
 */
export async function resumeWaiting(gateway: Resuming): Promise<number> {
  let started = 0;
  let after: string | undefined;
  do {
    const waiting = await someWaiting(gateway.db, after);
    started += await startEach(gateway, waiting, {
      start: async (tx, row) => startAgain(tx, row, gateway.clock()),
      problem: 'a sync that has room again cannot be started',
    });
    after = waiting.length < AT_ONCE ? undefined : waiting.at(-1)?.id;
  } while (after !== undefined && started < MOST_STARTED);
  return started;
}

type Waiting = Pick<DatasourceRow, 'id' | 'organizationId' | 'runId'>;

/** @param after the id of the last one that was read: one that cannot be started must not hide those behind it */
async function someWaiting(db: Queries, after: string | undefined): Promise<readonly Waiting[]> {
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
        lt(runs.createdAt, organizations.roomSince),
        after === undefined ? undefined : gt(id, after),
      ),
    )
    .orderBy(asc(id))
    .limit(AT_ONCE);
}

/** @returns false when somebody else has done so */
async function startAgain(tx: Queries, { id, organizationId, runId }: Waiting, now: Date): Promise<boolean> {
  const { row, datastore } = await lockWithDatastore(tx, organizationId, id);
  if (row.runId !== runId) return false;
  await startRuns(tx, datastore, [row], { now, kind: kindOf(row, {}) });
  return true;
}
