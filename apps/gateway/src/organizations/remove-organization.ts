import { and, eq, inArray, isNotNull, isNull, notExists, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { redactQueryParameters } from '../database/query-error.js';
import { conversations } from '../database/tables/conversations.js';
import { datastores } from '../database/tables/datastores.js';
import { evaluations } from '../database/tables/evaluations.js';
import { files } from '../database/tables/files.js';
import { organizations } from '../database/tables/organizations.js';
import { uploads } from '../database/tables/uploads.js';
import { hideNextDatastores, removeNextDatastoreContent } from '../datastores/remove-datastore.js';
import type { Gateway } from '../gateway.js';
import { removeFilesOfOrganization } from '../files/remove-files.js';
import { removeUploadsOfOrganization } from '../files/upload-repository.js';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';
import { DEFAULT_ORGANIZATION_ID } from '../keys/root-key.js';
import { problem } from '../problems.js';

type RemovalParts = Pick<Gateway, 'db' | 'log' | 'clock' | 'outboxWritten'>;

/** Maximum number of removal steps that a request to delete an organization runs. */
const STEPS_PER_REQUEST = 20;
/** Maximum number of removal steps that one run of the watchdog runs for an organization. */
const STEPS_PER_RUN = 100;

/**
 * Deletes an organization. Its API keys stop working immediately. If the organization has much data, or this process
 * stops before all data is deleted, the watchdog continues the deletion.
 *
 * @throws Problem 404 for an unknown organization; 409 for the default organization, which contains the root key
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
  await removeOrganizationData(gateway, id, STEPS_PER_REQUEST);
}

/** Continues all deletions of organizations that are not complete. The watchdog calls this function. */
export async function continueOrganizationRemovals(gateway: RemovalParts): Promise<void> {
  const unfinished = await gateway.db
    .select({ id: organizations.id })
    .from(organizations)
    .where(isNotNull(organizations.removedAt));
  for (const { id } of unfinished) await removeOrganizationData(gateway, id, STEPS_PER_RUN);
}

/**
 * Removes the data of an organization in several short transactions, so that another process can continue after a
 * crash. Never throws: an error is only logged, because the organization is already inaccessible and the watchdog
 * continues the removal.
 */
async function removeOrganizationData(
  { db, log, clock, outboxWritten }: RemovalParts,
  id: string,
  maxSteps: number,
): Promise<void> {
  try {
    for (let step = 0; step < maxSteps; step += 1) {
      if (await removeNextOrganizationPart(db, id, clock())) {
        log.info({ organizationId: id }, 'deleted an organization and all its data');
        break;
      }
    }
  } catch (error) {
    log.warn(
      { organizationId: id, err: redactQueryParameters(error) },
      'failed to remove an organization; the watchdog will continue',
    );
  }
  outboxWritten.wake();
}

/**
 * Removes the next part of the data of an organization: a part of a datastore, or some files, conversations or
 * evaluations. Hides all datastores before, so that no work for them is started. Deletes the organization when no other
 * data is left.
 *
 * @returns true if the organization is deleted
 */
async function removeNextOrganizationPart(db: Queries, organizationId: string, now: Date): Promise<boolean> {
  if ((await hideNextDatastores(db, organizationId, now)) > 0) return false;
  const [datastore] = await db
    .select({ organizationId: datastores.organizationId, id: datastores.id })
    .from(datastores)
    .where(eq(datastores.organizationId, organizationId))
    .limit(1);
  if (datastore !== undefined) {
    await removeNextDatastoreContent(db, datastore, now);
    return false;
  }
  const isEmpty =
    (await removeFilesOfOrganization(db, organizationId, now)) === 0 &&
    (await removeUploadsOfOrganization(db, organizationId, now)) === 0 &&
    (await removeNextConversations(db, organizationId)) === 0 &&
    (await removeNextEvaluations(db, organizationId)) === 0;
  return isEmpty && deleteOrganizationIfEmpty(db, organizationId);
}

/**
 * Maximum number of evaluations that one step deletes. The number is small, because each evaluation has a result per
 * question.
 */
const MAX_EVALUATIONS = 10;

async function removeNextEvaluations(db: Queries, organizationId: string): Promise<number> {
  const next = db
    .select({ id: evaluations.id })
    .from(evaluations)
    .where(eq(evaluations.organizationId, organizationId))
    .limit(MAX_EVALUATIONS);
  const { rowCount } = await db.delete(evaluations).where(inArray(evaluations.id, next));
  return rowCount ?? 0;
}

/** Maximum number of conversations that one step deletes. */
const MAX_CONVERSATIONS = 500;

async function removeNextConversations(db: Queries, organizationId: string): Promise<number> {
  const next = db
    .select({ id: conversations.id })
    .from(conversations)
    .where(eq(conversations.organizationId, organizationId))
    .limit(MAX_CONVERSATIONS);
  const { rowCount } = await db.delete(conversations).where(inArray(conversations.id, next));
  return rowCount ?? 0;
}

/**
 * Deletes an organization with its agents and keys, unless it still has datastores, files or uploads.
 *
 * @returns true if the organization is deleted
 */
async function deleteOrganizationIfEmpty(db: Queries, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, id)).for('update');
    const isEmpty = [datastores, files, uploads].map((table) =>
      notExists(
        tx
          .select({ one: sql`1` })
          .from(table)
          .where(eq(table.organizationId, id)),
      ),
    );
    await tx.delete(organizations).where(and(eq(organizations.id, id), ...isEmpty));
    return (await tx.$count(organizations, eq(organizations.id, id))) === 0;
  });
}
