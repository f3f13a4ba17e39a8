import type { RemovalDone } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import { isId } from '../database/id.js';
import { removals } from '../database/tables/removals.js';
import type { Gateway } from '../gateway.js';

/** Handles the event `removal-done` of a worker: its fragments are removed, so searches no longer exclude them. */
export async function confirmRemoval({ db }: Pick<Gateway, 'db'>, { removalId }: RemovalDone): Promise<void> {
  if (isId(removalId)) await db.delete(removals).where(eq(removals.id, removalId));
}
