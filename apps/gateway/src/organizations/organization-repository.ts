import {
  type CreateOrganizationRequest,
  DEFAULT_JOB_WEIGHT,
  type SetOrganizationLimits,
  type UpdateOrganizationRequest,
} from '@quarry/contracts';
import { and, desc, eq, isNotNull, isNull, lt, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { organizations, type OrganizationRow } from '../database/tables/organizations.js';
import type { PageRequest } from '../paging/pages.js';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';
import { invalidateAllotments } from '../usage/query-reservations.js';

/** Inserts a new organization, and returns its row. */
export async function insertOrganization(
  db: Queries,
  { name, limits, conversationRetentionDays }: CreateOrganizationRequest,
): Promise<OrganizationRow> {
  const [row] = await db
    .insert(organizations)
    .values({
      id: newId(),
      name,
      conversationRetentionDays: conversationRetentionDays ?? null,
      ...buildLimitColumns(limits),
    })
    .returning();
  if (row === undefined) throw new Error('expected a row of the new organization, found none');
  return row;
}

/** Returns an organization. @throws Problem 404 if it does not exist or is being deleted */
export async function findOrganization(db: Queries, id: string): Promise<OrganizationRow> {
  const [row] = await db.select().from(organizations).where(buildPresentOrganizationCondition(id));
  if (row === undefined) throw createNotFoundProblem('organization', id);
  return row;
}

/**
 * Lists organizations, newest first.
 *
 * @returns at most `page.limit + 1` organizations; the additional one shows that another page follows
 */
export async function listOrganizations(db: Queries, page: PageRequest): Promise<readonly OrganizationRow[]> {
  const older = page.before === undefined ? undefined : lt(organizations.id, page.before);
  return db
    .select()
    .from(organizations)
    .where(and(isNull(organizations.removedAt), older))
    .orderBy(desc(organizations.id))
    .limit(page.limit + 1);
}

/** Updates those fields of an organization that the request contains. @throws Problem 404 if it does not exist */
export async function updateOrganization(
  db: Queries,
  id: string,
  { name, limits, conversationRetentionDays }: UpdateOrganizationRequest,
  now: Date,
): Promise<OrganizationRow> {
  const set = {
    ...(name === undefined || name === null ? {} : { name }),
    ...(conversationRetentionDays === undefined ? {} : { conversationRetentionDays }),
    ...buildLimitColumns(limits),
  };
  if (Object.keys(set).length === 0) return findOrganization(db, id);
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(organizations)
      .set({ ...set, roomSince: buildLimitRaisedAt(limits?.storedTokens, now) })
      .where(buildPresentOrganizationCondition(id))
      .returning();
    if (row === undefined) throw createNotFoundProblem('organization', id);
    if (set.agentQueriesPerMonth !== undefined) await invalidateAllotments(tx, id);
    return row;
  });
}

/**
 * Builds the SQL expression for the new value of `roomSince`: `now` if the request raises the token limit, otherwise
 * the stored value. After a raise, `startWaitingSyncs` syncs the organization's datasources that have the status
 * `usage_limit_reached`.
 */
function buildLimitRaisedAt(storedTokens: number | null | undefined, now: Date): SQL {
  if (storedTokens === undefined) return sql`${organizations.roomSince}`;
  const isRaised =
    storedTokens === null
      ? isNotNull(organizations.storedTokens)
      : sql`coalesce(${organizations.storedTokens} < ${storedTokens}, false)`;
  return sql`case when ${isRaised} then ${now.toISOString()}::timestamptz else ${organizations.roomSince} end`;
}

/** Builds the column values of those limits that a request contains. */
function buildLimitColumns(limits: SetOrganizationLimits | null | undefined): Partial<OrganizationRow> {
  const { agentQueriesPerMonth, storedTokens, concurrentJobs, jobWeight } = limits ?? {};
  return {
    ...(agentQueriesPerMonth === undefined ? {} : { agentQueriesPerMonth }),
    ...(storedTokens === undefined ? {} : { storedTokens }),
    ...(concurrentJobs === undefined ? {} : { concurrentJobs }),
    ...(jobWeight === undefined ? {} : { jobWeight: jobWeight ?? DEFAULT_JOB_WEIGHT }),
  };
}

/** Builds the SQL condition for the organization with this id, unless it is being deleted. */
function buildPresentOrganizationCondition(id: string): SQL | undefined {
  return and(eq(organizations.id, id), isNull(organizations.removedAt));
}
