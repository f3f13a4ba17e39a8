import { type IngestionJobs, ingestionQueue, type RemovalDone } from '@quarry/contracts';
import { and, asc, count, eq, lte, min, not } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { isId, newId } from '../database/id.js';
import { type RemovalKind, removals } from '../database/tables/removals.js';
import { buildOutboxJob, writeOutboxJobs } from '../outbox/outbox.js';
import type { Gateway } from '../gateway.js';
import { ARE_REMOVALS_HELD, areRemovalsHeld } from './removal-hold.js';

type RemovalJobs = Pick<IngestionJobs, `remove-${RemovalKind}`>;

/** Describes a removal: its kind and the payload of its job, without the fields that `writeRemovals` sets. */
export type NewRemoval = {
  readonly [Kind in RemovalKind]: {
    readonly kind: Kind;
    readonly payload: Omit<RemovalJobs[`remove-${Kind}`], 'removalId' | 'attempt'>;
  };
}[RemovalKind];

/** Maximum number of rows per statement, because PostgreSQL limits a statement to 65,535 parameters. */
const MAX_ROWS_PER_STATEMENT = 5_000;

/**
 * Records content as removed, which excludes it from all searches that begin after the commit. Writes the removal jobs
 * to the outbox. During a backup, `repeatRemovals` writes them after its end.
 *
 * @param tx the transaction that deletes the metadata of the content
 */
export async function writeRemovals(
  tx: Queries,
  organizationId: string,
  newRemovals: readonly NewRemoval[],
  now: Date,
): Promise<void> {
  for (let start = 0; start < newRemovals.length; start += MAX_ROWS_PER_STATEMENT) {
    const rows = newRemovals.slice(start, start + MAX_ROWS_PER_STATEMENT).map((removal) => ({
      ...{ id: newId(), organizationId, attempts: 1, createdAt: now, repeatAt: computeRepeatTime(now, 1) },
      ...buildRemovalRow(removal),
    }));
    await tx.insert(removals).values(rows);
    // After the insertion, because a backup that begins now waits for all transactions that have inserted removals.
    if (!(await areRemovalsHeld(tx))) await writeOutboxJobs(tx, organizationId, rows.map(buildRemovalJob));
  }
}

/**
 * Builds the job that removes content from the fragment store. The job id contains the number of the attempt.
 * Otherwise, the queue would ignore the new job as a duplicate of an earlier attempt.
 */
export function buildRemovalJob({
  id,
  kind,
  payload,
  attempts,
}: Pick<typeof removals.$inferSelect, 'id' | 'kind' | 'payload' | 'attempts'>): ReturnType<typeof buildOutboxJob> {
  const name = `remove-${kind}` as const;
  // The cast is safe, because the payload was checked when the row was written, and the dispatcher parses it again.
  const job = { ...payload, removalId: id, attempt: attempts } as RemovalJobs[typeof name];
  return buildOutboxJob<IngestionJobs, typeof name>(ingestionQueue, { name, payload: job, class: 'interactive' });
}

function buildRemovalRow(
  removal: NewRemoval,
): Pick<typeof removals.$inferInsert, 'datastoreId' | 'kind' | 'datasourceId' | 'documentKey' | 'upTo' | 'payload'> {
  const { kind, payload } = removal;
  const { datastoreId } = payload;
  if (kind === 'datastore') return { kind, datastoreId, payload };
  if (kind === 'datasource') return { kind, datastoreId, datasourceId: payload.datasourceId, payload };
  const { datasourceId, documentKey, generation } = payload;
  return { kind, datastoreId, datasourceId, documentKey, upTo: generation, payload };
}

/**
 * Time in milliseconds after which an unconfirmed removal is repeated for the first time. Each further repetition
 * doubles the time, up to 5 h 20 min.
 */
const REPEAT_AFTER_MS = 10 * 60_000;
const MAX_DOUBLINGS = 5;

/**
 * Returns the time at which an unconfirmed removal is repeated. The number of attempts is not limited, because deleted
 * content must be removed.
 */
export function computeRepeatTime(now: Date, attempts: number): Date {
  return new Date(now.getTime() + REPEAT_AFTER_MS * 2 ** Math.min(attempts - 1, MAX_DOUBLINGS));
}

/**
 * Handles the event `removal-done` of a worker that has removed the fragments. Deletes the removal, so that searches no
 * longer exclude the removed content.
 */
export async function confirmRemoval({ db }: Pick<Gateway, 'db'>, { removalId }: RemovalDone): Promise<void> {
  if (isId(removalId)) await db.delete(removals).where(eq(removals.id, removalId));
}

/** Maximum number of removals that one call repeats, so that repeated removals do not fill the outbox. */
const BATCH = 500;

/**
 * Writes the jobs of unconfirmed removals to the outbox again when they are due, oldest first. Gateways that run at the
 * same time select different rows.
 *
 * @returns the number of repeated removals
 */
export async function repeatRemovals({
  db,
  clock,
  log,
  outboxWritten,
}: Pick<Gateway, 'db' | 'clock' | 'log' | 'outboxWritten'>): Promise<number> {
  const now = clock();
  const repeated = await db.transaction(async (tx) => {
    const due = await tx
      .select()
      .from(removals)
      .where(and(lte(removals.repeatAt, now), not(ARE_REMOVALS_HELD)))
      .orderBy(asc(removals.repeatAt))
      .limit(BATCH)
      .for('update', { skipLocked: true });
    for (const [organizationId, rows] of Map.groupBy(due, (row) => row.organizationId)) {
      const next = rows.map((row) => ({ ...row, attempts: row.attempts + 1 }));
      await writeOutboxJobs(tx, organizationId, next.map(buildRemovalJob));
      for (const { id, attempts } of next) {
        await tx
          .update(removals)
          .set({ attempts, repeatAt: computeRepeatTime(now, attempts) })
          .where(eq(removals.id, id));
      }
    }
    return due.length;
  });
  if (repeated > 0) {
    log.warn({ removals: repeated }, 'enqueued jobs again for removals that no worker has confirmed in time');
    outboxWritten.wake();
  }
  return repeated;
}

interface UnconfirmedRemovals {
  readonly waiting: number;
  /** Creation time of the oldest unconfirmed removal. Undefined if all removals are confirmed. */
  readonly oldestAt: Date | undefined;
}

/** Returns the number of unconfirmed removals and the creation time of the oldest one, for the metrics. */
export async function measureUnconfirmedRemovals(db: Queries): Promise<UnconfirmedRemovals> {
  const [row] = await db.select({ waiting: count(), oldestAt: min(removals.createdAt) }).from(removals);
  return { waiting: row?.waiting ?? 0, oldestAt: row?.oldestAt ?? undefined };
}
