import { asc, eq, lte } from 'drizzle-orm';
import { removals } from '../database/tables/removals.js';
import type { Gateway } from '../gateway.js';
import { writeOutbox } from '../outbox/outbox.js';
import { computeRepeatTime } from './repeat-time.js';
import { buildRemovalJob } from './write-removals.js';

/** Maximum number of removals per call, so that repeated removals do not fill the outbox. */
const BATCH = 500;

/**
 * Writes unconfirmed removals to the outbox again when they are due, oldest first. Gateways that run at the same time select
 * different rows.
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
      .where(lte(removals.repeatAt, now))
      .orderBy(asc(removals.repeatAt))
      .limit(BATCH)
      .for('update', { skipLocked: true });
    for (const [organizationId, rows] of Map.groupBy(due, (row) => row.organizationId)) {
      const next = rows.map((row) => ({ ...row, attempts: row.attempts + 1 }));
      await writeOutbox(tx, organizationId, next.map(buildRemovalJob));
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
    log.warn({ removals: repeated }, 'unconfirmed removals are repeated');
    outboxWritten.wake();
  }
  return repeated;
}
