import type { CreateOrganizationRequest, SetOrganizationLimits, UpdateOrganizationRequest } from '@quarry/contracts';
import { and, desc, eq, isNotNull, isNull, lt, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { organizations, type OrganizationRow } from '../database/tables/organizations.js';
import type { PageRequest } from '../paging/pages.js';
import { unknown } from '../checks/require-id.js';

export async function insertOrganization(
  db: Queries,
  { name, limits, conversationRetentionDays }: CreateOrganizationRequest,
): Promise<OrganizationRow> {
  const [row] = await db
    .insert(organizations)
    .values({ id: newId(), name, conversationRetentionDays: conversationRetentionDays ?? null, ...limitsToSet(limits) })
    .returning();
  if (row === undefined) throw new Error('the organization was not written');
  return row;
}

/** @throws Problem 404, also for one that is being removed */
export async function findOrganization(db: Queries, id: string): Promise<OrganizationRow> {
  const [row] = await db.select().from(organizations).where(oneOf(id));
  if (row === undefined) throw unknown('organization', id);
  return row;
}

/** @returns one more than the page holds, when there is more */
export async function listOrganizations(db: Queries, page: PageRequest): Promise<readonly OrganizationRow[]> {
  const older = page.before === undefined ? undefined : lt(organizations.id, page.before);
  return db
    .select()
    .from(organizations)
    .where(and(isNull(organizations.removedAt), older))
    .orderBy(desc(organizations.id))
    .limit(page.limit + 1);
}

/** Changes what the request names. @throws Problem 404 */
export async function updateOrganization(
  db: Queries,
  id: string,
  { name, limits, conversationRetentionDays }: UpdateOrganizationRequest,
  now: Date,
): Promise<OrganizationRow> {
  const set = {
    ...(name === undefined || name === null ? {} : { name }),
    ...(conversationRetentionDays === undefined ? {} : { conversationRetentionDays }),
    ...limitsToSet(limits),
  };
  if (Object.keys(set).length === 0) return findOrganization(db, id);
  const [row] = await db
    .update(organizations)
    .set({ ...set, roomSince: roomAfter(limits?.storedTokens, now) })
    .where(oneOf(id))
    .returning();
  if (row === undefined) throw unknown('organization', id);
  return row;
}

/** What waits for room goes on when there is more: see `resumeWaiting`. */
function roomAfter(storedTokens: number | null | undefined, now: Date): SQL {
  if (storedTokens === undefined) return sql`${organizations.roomSince}`;
  const isRaised =
    storedTokens === null
      ? isNotNull(organizations.storedTokens)
      : sql`coalesce(${organizations.storedTokens} < ${storedTokens}, false)`;
  return sql`case when ${isRaised} then ${now.toISOString()}::timestamptz else ${organizations.roomSince} end`;
}

function limitsToSet(limits: SetOrganizationLimits | null | undefined): Partial<OrganizationRow> {
  const { agentQueriesPerMonth, storedTokens } = limits ?? {};
  return {
    ...(agentQueriesPerMonth === undefined ? {} : { agentQueriesPerMonth }),
    ...(storedTokens === undefined ? {} : { storedTokens }),
  };
}

function oneOf(id: string): SQL | undefined {
  return and(eq(organizations.id, id), isNull(organizations.removedAt));
}
