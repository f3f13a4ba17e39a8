import { count, min } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { removals } from '../database/tables/removals.js';

export interface WaitingRemovals {
  readonly waiting: number;
  /** Creation time of the oldest unconfirmed removal. Undefined if all removals are confirmed. */
  readonly oldestAt: Date | undefined;
}

/** Counts the unconfirmed removals, for the metrics. */
export async function countWaitingRemovals(db: Queries): Promise<WaitingRemovals> {
  const [row] = await db.select({ waiting: count(), oldestAt: min(removals.createdAt) }).from(removals);
  return { waiting: row?.waiting ?? 0, oldestAt: row?.oldestAt ?? undefined };
}
