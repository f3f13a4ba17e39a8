import { eq, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { dispatchLocks } from '../database/tables/dispatch-locks.js';

/** Time after which the lock of a killed gateway ends, in seconds. */
const LOCK_SECONDS = 10;

/**
 * Runs work while this gateway alone fills a queue. Otherwise several gateways would fill the same free places.
 *
 * @returns the result, or undefined when another gateway has the lock
 */
export async function withDispatchLock<Result>(
  db: Queries,
  queue: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const lockedUntil = sql`clock_timestamp() + make_interval(secs => ${LOCK_SECONDS})`;
  const [lock] = await db
    .insert(dispatchLocks)
    .values({ queue, lockedUntil })
    .onConflictDoUpdate({
      target: dispatchLocks.queue,
      set: { lockedUntil },
      setWhere: sql`${dispatchLocks.lockedUntil} < clock_timestamp()`,
    })
    .returning();
  if (lock === undefined) return undefined;
  try {
    return await work();
  } finally {
    // A lock that cannot be released ends by itself.
    await db
      .update(dispatchLocks)
      .set({ lockedUntil: sql`clock_timestamp()` })
      .where(eq(dispatchLocks.queue, queue))
      .catch(() => undefined);
  }
}
