import { sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { removalHold } from '../database/tables/removal-hold.js';

/**
 * Is true while a backup is in progress. Until its end, content that was deleted after the saved state of the database
 * must stay in the other stores. Otherwise, the saved database would refer to content that the backup does not contain.
 */
export const ARE_REMOVALS_HELD = sql<boolean>`exists (select 1 from ${removalHold} where ${removalHold.heldUntil} > now())`;

/** Returns whether a backup is in progress, so that removals must wait for its end. */
export async function areRemovalsHeld(db: Queries): Promise<boolean> {
  return (
    (
      await db
        .select({ one: sql`1` })
        .from(removalHold)
        .where(ARE_REMOVALS_HELD)
    ).length > 0
  );
}
