import { datasourceStatusQueue } from '@quarry/contracts';
import { and, asc, eq, isNull, lt } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { outbox } from '../database/tables/outbox.js';
import { runs } from '../database/tables/runs.js';
import { recordEvent } from '../runs/record-events.js';
import type { Gateway } from '../gateway.js';
import { stateOfJob } from './state-of-job.js';

type Watched = Pick<Gateway, 'db' | 'queues' | 'log' | 'clock' | 'lostAfterMs'>;

const MOST_AT_ONCE = 500;
/** The relay publishes what is written within seconds: what waits longer waits for a queue that is away. */
const RELAY_MS = 30_000;

/**
 * Settles runs of which nothing has been heard for a while and whose job is gone, as `error` with the code `run_lost`. While jobs
 * wait in the outbox or events wait in the queue, nothing is known to be gone.
 */
export async function settleLostRuns(gateway: Watched): Promise<number> {
  const { db, queues, log, clock, lostAfterMs } = gateway;
  const now = clock();
  if (await isOutboxStuck(db, now)) return 0;
  if ((await queues.depth(datasourceStatusQueue)).waiting > 0) return 0;
  let lost = 0;
  for (const row of await quietDatasources(db, new Date(now.getTime() - lostAfterMs))) {
    const state = await stateOfJob(queues, row);
    if (state === 'in_queue') continue;
    const recorded = await recordEvent(db, lossOf(row, state, now), now);
    log.warn({ datasourceId: row.id, runId: row.runId, job: state, recorded }, 'a run was lost');
    if (recorded === 'settled') lost += 1;
  }
  return lost;
}

function lossOf(row: LiveRow, state: 'ended' | 'absent', at: Date): Parameters<typeof recordEvent>[1] {
  const job = state === 'absent' ? 'its job is no longer in the queue' : 'its job ended without saying so';
  return {
    datasourceId: row.id,
    // One more than was heard: an event that comes meanwhile is newer, and shows that the run is alive.
    event: { type: 'settled', runId: row.runId, sequence: row.sequence + 1, status: 'error' },
    at,
    code: 'run_lost',
    message: `Nothing was heard of the run, and ${job}. Sync the datasource again.`,
  };
}

export type LiveRow = DatasourceRow & { readonly runId: string };

async function quietDatasources(db: Queries, before: Date): Promise<readonly LiveRow[]> {
  const rows = await db
    .select({ datasource: datasources })
    .from(runs)
    .innerJoin(datasources, eq(datasources.runId, runs.id))
    .where(and(isNull(runs.endedAt), lt(runs.heardAt, before)))
    .orderBy(asc(runs.heardAt))
    .limit(MOST_AT_ONCE);
  return rows.flatMap(({ datasource }) =>
    datasource.runId === null ? [] : { ...datasource, runId: datasource.runId },
  );
}

async function isOutboxStuck(db: Queries, now: Date): Promise<boolean> {
  const waiting = and(isNull(outbox.refusal), lt(outbox.createdAt, new Date(now.getTime() - RELAY_MS)));
  return (await db.select({ id: outbox.id }).from(outbox).where(waiting).limit(1)).length > 0;
}
