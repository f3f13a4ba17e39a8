import type { Scope } from '@quarry/contracts';
import { and, desc, eq, getTableColumns, isNull, lt, lte, or, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { prepared, UNNAMED } from '../database/prepared.js';
import { apiKeys, type KeyRow } from '../database/tables/api-keys.js';
import { organizations } from '../database/tables/organizations.js';
import type { PageRequest } from '../paging/pages.js';
import { unknown } from '../checks/require-id.js';
import { hashApiKey, visiblePrefix } from './api-key.js';

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Limits the key to these; absent: no limit. */
  readonly agentIds?: readonly string[];
  readonly datastoreIds?: readonly string[];
  readonly expiresAt?: Date;
}

/** Of any organization: the key itself says which. The keys of one that is being removed are not known any more. */
export async function findKeyByHash(db: Queries, hash: string): Promise<KeyRow | undefined> {
  const [row] = await keyByHash(db).execute({ hash });
  return row;
}

const keyByHash = prepared((db) =>
  db
    .select(getTableColumns(apiKeys))
    .from(apiKeys)
    .innerJoin(organizations, eq(organizations.id, apiKeys.organizationId))
    .where(and(eq(apiKeys.hash, sql.placeholder('hash')), isNull(organizations.removedAt)))
    .prepare(UNNAMED),
);

/** @throws Problem 404 */
export async function findKey(db: Queries, organizationId: string, id: string): Promise<KeyRow> {
  const [row] = await db.select().from(apiKeys).where(oneOf(organizationId, id));
  if (row === undefined) throw unknown('API key', id);
  return row;
}

/** @returns one more than the page holds, when there is more */
export async function listKeys(db: Queries, organizationId: string, page: PageRequest): Promise<readonly KeyRow[]> {
  const older = page.before === undefined ? undefined : lt(apiKeys.id, page.before);
  return db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.organizationId, organizationId), older))
    .orderBy(desc(apiKeys.id))
    .limit(page.limit + 1);
}

/** @throws Problem 404 */
export async function renameKey(db: Queries, organizationId: string, id: string, name: string): Promise<KeyRow> {
  const [row] = await db.update(apiKeys).set({ name }).where(oneOf(organizationId, id)).returning();
  if (row === undefined) throw unknown('API key', id);
  return row;
}

/** @param key its text, which is not kept: see `newApiKey` */
export async function insertKey(db: Queries, organizationId: string, key: string, made: NewKey): Promise<string> {
  const id = newId();
  await db.insert(apiKeys).values({
    id,
    organizationId,
    name: made.name,
    prefix: visiblePrefix(key),
    hash: hashApiKey(key),
    scopes: [...made.scopes],
    agentIds: made.agentIds === undefined ? null : [...made.agentIds],
    datastoreIds: made.datastoreIds === undefined ? null : [...made.datastoreIds],
    expiresAt: made.expiresAt ?? null,
  });
  return id;
}

/** A key that was revoked before stays revoked since then. @returns whether the organization has such a key */
export async function revokeKey(db: Queries, organizationId: string, keyId: string, now: Date): Promise<boolean> {
  const revoked = await db
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${now.toISOString()}::timestamptz)` })
    .where(oneOf(organizationId, keyId))
    .returning({ id: apiKeys.id });
  return revoked.length > 0;
}

const TOUCH_EVERY_MS = 60_000;

export function isTouchDue(key: Pick<KeyRow, 'lastUsedAt'>, now: Date): boolean {
  return key.lastUsedAt === null || key.lastUsedAt <= lastTouchBefore(now);
}

/** Writes down that a key was used, unless another request has done so within the minute. */
export async function touchKey(db: Queries, keyId: string, now: Date): Promise<void> {
  const isDue = or(isNull(apiKeys.lastUsedAt), lte(apiKeys.lastUsedAt, lastTouchBefore(now)));
  await db
    .update(apiKeys)
    .set({ lastUsedAt: now })
    .where(and(eq(apiKeys.id, keyId), isDue));
}

function lastTouchBefore(now: Date): Date {
  return new Date(now.getTime() - TOUCH_EVERY_MS);
}

function oneOf(organizationId: string, id: string): SQL | undefined {
  return and(eq(apiKeys.organizationId, organizationId), eq(apiKeys.id, id));
}
