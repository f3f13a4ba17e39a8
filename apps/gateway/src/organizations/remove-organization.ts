import { and, eq, isNotNull, isNull, notExists, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { redactQueryParameters } from '../database/query-error.js';
import { datastores } from '../database/tables/datastores.js';
import { organizations } from '../database/tables/organizations.js';
import { removeDatastore } from '../datastores/remove-datastore.js';
import type { Gateway } from '../gateway.js';
import { createNotFoundProblem } from '../checks/require-id.js';
import { DEFAULT_ORGANIZATION_ID } from '../keys/root-key.js';
import { problem } from '../problems.js';

type RemovalParts = Pick<Gateway, 'db' | 'log' | 'clock' | 'outboxWritten'>;

const BATCH = 100;

/**
 * Deletes an organization. Its API keys stop working immediately. If this process stops before all data is deleted, the watchdog
 * continues.
 *
 * @throws Problem 404; 409 for the organization of the root key
 */
export async function removeOrganization(gateway: RemovalParts, id: string): Promise<void> {
  if (id === DEFAULT_ORGANIZATION_ID) {
    throw problem('default_organization', `The organization ${id} contains the root key and cannot be deleted.`);
  }
  const removed = await gateway.db
    .update(organizations)
    .set({ removedAt: gateway.clock() })
    .where(and(eq(organizations.id, id), isNull(organizations.removedAt)))
    .returning({ id: organizations.id });
  if (removed.length === 0) throw createNotFoundProblem('organization', id);
  await removeOrganizationData(gateway, id);
}

/** Deletes the remaining data of all organizations whose deletion was interrupted. */
export async function continueRemovals(gateway: RemovalParts): Promise<void> {
  const unfinished = await gateway.db
    .select({ id: organizations.id })
    .from(organizations)
    .where(isNotNull(organizations.removedAt));
  for (const { id } of unfinished) await removeOrganizationData(gateway, id);
}

/**
 * Removes the data of an organization, one datastore per transaction, so that transactions are short and a removal can continue
 * after a stop. Never throws, because the organization is already invisible.
 */
async function removeOrganizationData({ db, log, clock, outboxWritten }: RemovalParts, id: string): Promise<void> {
  try {
    do {
      for (const datastore of await listNextDatastores(db, id)) await removeDatastore(db, id, datastore.id, clock());
      outboxWritten.wake();
    } while (!(await deleteIfEmpty(db, id)));
    log.info({ organizationId: id }, 'organization removed');
  } catch (error) {
    log.warn(
      { organizationId: id, err: redactQueryParameters(error) },
      'failed to remove an organization; the watchdog will continue',
    );
  }
}

async function listNextDatastores(db: Queries, organizationId: string): Promise<readonly { readonly id: string }[]> {
  return db
    .select({ id: datastores.id })
    .from(datastores)
    .where(eq(datastores.organizationId, organizationId))
    .limit(BATCH);
}

/**
 * Deletes the row of an organization with its agents, conversations and keys, unless it has datastores. @returns true if it is
 * deleted
 */
async function deleteIfEmpty(db: Queries, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, id)).for('update');
    const remaining = tx
      .select({ one: sql`1` })
      .from(datastores)
      .where(eq(datastores.organizationId, id));
    await tx.delete(organizations).where(and(eq(organizations.id, id), notExists(remaining)));
    return (await tx.$count(organizations, eq(organizations.id, id))) === 0;
  });
}
