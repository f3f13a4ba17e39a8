import { asc, eq, lte } from 'drizzle-orm';
import { removals } from '../database/tables/removals.js';
import type { Gateway } from '../gateway.js';
import { writeOutbox } from '../outbox/outbox.js';
import { repeatTime } from './repeat-time.js';
import { removalJob } from './write-removals.js';

/** Removals in one transaction: the outbox is not to be filled by what may wait in a queue already. */
const BATCH = 500;

/**
 * Puts removals that were not confirmed in time into the outbox again, those that wait longest first. Gateways that do so
 * at once take different ones.
 *
 * @returns how many
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
      await writeOutbox(tx, organizationId, next.map(removalJob));
      for (const { id, attempts } of next) {
        await tx
          .update(removals)
          .set({ attempts, repeatAt: repeatTime(now, attempts) })
          .where(eq(removals.id, id));
      }
    }
    return due.length;
  });
  if (repeated > 0) {
    log.warn({ removals: repeated }, 'removals were not confirmed in time: they are repeated');
    outboxWritten.wake();
  }
  return repeated;
}
