import { createHash, randomBytes } from 'node:crypto';
import type { Compatibility, Scope } from '@quarry/contracts';
import { and, desc, eq, getTableColumns, gt, inArray, isNull, lt, lte, or, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { cacheStatementPerDatabase, UNNAMED_STATEMENT } from '../database/cache-statement-per-database.js';
import { apiKeys, type KeyRow } from '../database/tables/api-keys.js';
import { organizations } from '../database/tables/organizations.js';
import type { PageRequest } from '../paging/pages.js';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';

/** Contains the fields of a new API key. */
export interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Limits the key to these agents. Absent: no limit. */
  readonly agentIds?: readonly string[];
  /** Limits the key to these datastores. Absent: no limit. */
  readonly datastoreIds?: readonly string[];
  readonly expiresAt?: Date;
  /** The API whose response format this key uses. Absent: the format of Quarry. */
  readonly compatibility?: Compatibility;
}

/** Finds an API key of any organization by its hash. Ignores keys of organizations that are being deleted. */
export async function findKeyByHash(db: Queries, hash: string): Promise<KeyRow | undefined> {
  const [row] = await selectKeyByHash(db).execute({ hash });
  return row;
}

/**
 * Returns the ids of the API keys that are neither revoked nor expired, and whose organization is not being deleted.
 */
export async function findValidKeyIds(db: Queries, ids: readonly string[], now: Date): Promise<readonly string[]> {
  const rows = await db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .innerJoin(organizations, eq(organizations.id, apiKeys.organizationId))
    .where(
      and(
        inArray(apiKeys.id, [...ids]),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
        isNull(organizations.removedAt),
      ),
    );
  return rows.map(({ id }) => id);
}

const selectKeyByHash = cacheStatementPerDatabase((db) =>
  db
    .select(getTableColumns(apiKeys))
    .from(apiKeys)
    .innerJoin(organizations, eq(organizations.id, apiKeys.organizationId))
    .where(and(eq(apiKeys.hash, sql.placeholder('hash')), isNull(organizations.removedAt)))
    .prepare(UNNAMED_STATEMENT),
);

/** Returns the API key of an organization with this id. @throws Problem 404 if there is none */
export async function findKey(db: Queries, organizationId: string, id: string): Promise<KeyRow> {
  const [row] = await db.select().from(apiKeys).where(buildIdCondition(organizationId, id));
  if (row === undefined) throw createNotFoundProblem('API key', id);
  return row;
}

/**
 * Returns a page of API keys, newest first.
 *
 * @returns at most `page.limit + 1` keys; the additional one shows that another page follows
 */
export async function listKeys(db: Queries, organizationId: string, page: PageRequest): Promise<readonly KeyRow[]> {
  const older = page.before === undefined ? undefined : lt(apiKeys.id, page.before);
  return db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.organizationId, organizationId), older))
    .orderBy(desc(apiKeys.id))
    .limit(page.limit + 1);
}

/** Renames an API key. @throws Problem 404 if there is none */
export async function renameKey(db: Queries, organizationId: string, id: string, name: string): Promise<KeyRow> {
  const [row] = await db.update(apiKeys).set({ name }).where(buildIdCondition(organizationId, id)).returning();
  if (row === undefined) throw createNotFoundProblem('API key', id);
  return row;
}

/** Inserts an API key. @param key the text of the key, of which only a hash and a prefix are stored @returns the id */
export async function insertKey(db: Queries, organizationId: string, key: string, fields: NewKey): Promise<string> {
  const id = newId();
  await db.insert(apiKeys).values({
    id,
    organizationId,
    name: fields.name,
    prefix: getVisiblePrefix(key),
    hash: hashApiKey(key),
    scopes: [...fields.scopes],
    agentIds: fields.agentIds === undefined ? null : [...fields.agentIds],
    datastoreIds: fields.datastoreIds === undefined ? null : [...fields.datastoreIds],
    expiresAt: fields.expiresAt ?? null,
    compatibility: fields.compatibility ?? null,
  });
  return id;
}

/**
 * Revokes an API key. If it was already revoked, the time of the first revocation stays.
 *
 * @returns false if the organization has no such key
 */
export async function revokeKey(db: Queries, organizationId: string, keyId: string, now: Date): Promise<boolean> {
  const revoked = await db
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${now.toISOString()}::timestamptz)` })
    .where(buildIdCondition(organizationId, keyId))
    .returning({ id: apiKeys.id });
  return revoked.length > 0;
}

/** Minimum time between two recorded uses of an API key, in milliseconds. */
const USE_INTERVAL_MS = 60_000;

/** Returns true if a use of the API key must be recorded, because none was recorded within the last minute. */
export function shouldRecordKeyUse(key: Pick<KeyRow, 'lastUsedAt'>, now: Date): boolean {
  return key.lastUsedAt === null || key.lastUsedAt <= getRecentUseCutoff(now);
}

/** Sets the time of the last use of an API key, unless a use was recorded within the last minute. */
export async function recordKeyUse(db: Queries, keyId: string, now: Date): Promise<void> {
  const isDue = or(isNull(apiKeys.lastUsedAt), lte(apiKeys.lastUsedAt, getRecentUseCutoff(now)));
  await db
    .update(apiKeys)
    .set({ lastUsedAt: now })
    .where(and(eq(apiKeys.id, keyId), isDue));
}

/**
 * Returns the time one minute before `now`. A use need not be recorded if the last recorded use is later than this
 * time.
 */
function getRecentUseCutoff(now: Date): Date {
  return new Date(now.getTime() - USE_INTERVAL_MS);
}

function buildIdCondition(organizationId: string, id: string): SQL | undefined {
  return and(eq(apiKeys.organizationId, organizationId), eq(apiKeys.id, id));
}

const MAX_PREFIX_LENGTH = 10;

/** Generates the text of an API key: `qk_` and 256 random bits in base64url. */
export function generateApiKey(): string {
  return `qk_${randomBytes(32).toString('base64url')}`;
}

/**
 * Computes the hash that is stored instead of an API key: SHA-256 in hexadecimal. A fast hash is secure here, because
 * keys are random.
 */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/**
 * Returns the beginning of an API key, which is stored and shown: 10 characters, or a quarter of a key with less than
 * 40 characters.
 */
export function getVisiblePrefix(key: string): string {
  return key.slice(0, Math.min(MAX_PREFIX_LENGTH, Math.floor(key.length / 4)));
}
