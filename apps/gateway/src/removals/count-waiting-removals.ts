import { count, min } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { removals } from '../database/tables/removals.js';

export interface WaitingRemovals {
  readonly waiting: number;
  /** Undefined when all removals are confirmed. */
  readonly oldestAt: Date | undefined;
}

/** Returns the number of unconfirmed removals, for the metrics. */
export async function countWaitingRemovals(db: Queries): Promise<WaitingRemovals> {
  const [row] = await db.select({ waiting: count(), oldestAt: min(removals.createdAt) }).from(removals);
  return { waiting: row?.waiting ?? 0, oldestAt: row?.oldestAt ?? undefined };
}
