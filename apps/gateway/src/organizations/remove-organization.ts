import { and, eq, isNotNull, isNull, notExists, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { redactQueryParameters } from '../database/query-error.js';
import { datastores } from '../database/tables/datastores.js';
import { organizations } from '../database/tables/organizations.js';
import { removeDatastore } from '../datastores/remove-datastore.js';
import type { Gateway } from '../gateway.js';
import { unknown } from '../checks/require-id.js';
import { DEFAULT_ORGANIZATION_ID } from '../keys/root-key.js';
import { problem } from '../problems.js';

type Removing = Pick<Gateway, 'db' | 'log' | 'clock' | 'outboxWritten'>;

const DATASTORES_AT_ONCE = 100;

/**
 * Removes an organization: from now on its keys let nobody in. What it holds is removed here, and by the watchdog when this
 * process ends before.
 *
 * @throws Problem 404, 409 for the organization that the root key belongs to
 */
export async function removeOrganization(gateway: Removing, id: string): Promise<void> {
  if (id === DEFAULT_ORGANIZATION_ID) {
    throw problem('default_organization', `The organization ${id} holds the root key and cannot be removed.`);
  }
  const removed = await gateway.db
    .update(organizations)
    .set({ removedAt: gateway.clock() })
    .where(and(eq(organizations.id, id), isNull(organizations.removedAt)))
    .returning({ id: organizations.id });
  if (removed.length === 0) throw unknown('organization', id);
  await finishRemoval(gateway, id);
}

/** Goes on with the removals that were not finished. */
export async function finishRemovals(gateway: Removing): Promise<void> {
  const unfinished = await gateway.db
    .select({ id: organizations.id })
    .from(organizations)
    .where(isNotNull(organizations.removedAt));
  for (const { id } of unfinished) await finishRemoval(gateway, id);
}

/**
 * Datastore by datastore, each as if it were removed by itself: so no transaction is long, and each stop is a place to go on from.
 * Never throws: the organization is gone for everybody already.
 */
async function finishRemoval({ db, log, clock, outboxWritten }: Removing, id: string): Promise<void> {
  try {
    do {
      for (const datastore of await someDatastores(db, id)) await removeDatastore(db, id, datastore.id, clock());
      outboxWritten.wake();
    } while (!(await removeEmpty(db, id)));
    log.info({ organizationId: id }, 'an organization is removed');
  } catch (error) {
    log.warn(
      { organizationId: id, err: redactQueryParameters(error) },
      'an organization is left for the watchdog to remove',
    );
  }
}

async function someDatastores(db: Queries, organizationId: string): Promise<readonly { readonly id: string }[]> {
  return db
    .select({ id: datastores.id })
    .from(datastores)
    .where(eq(datastores.organizationId, organizationId))
    .limit(DATASTORES_AT_ONCE);
}

/** The row with its agents, conversations and keys. @returns whether it is gone: not while a datastore is left, or came to it */
async function removeEmpty(db: Queries, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, id)).for('update');
    const left = tx
      .select({ one: sql`1` })
      .from(datastores)
      .where(eq(datastores.organizationId, id));
    await tx.delete(organizations).where(and(eq(organizations.id, id), notExists(left)));
    return (await tx.$count(organizations, eq(organizations.id, id))) === 0;
  });
}
