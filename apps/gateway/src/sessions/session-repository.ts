import { randomBytes } from 'node:crypto';
import { and, eq, getTableColumns, inArray, isNull, lte, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { cacheStatementPerDatabase, UNNAMED_STATEMENT } from '../database/cache-statement-per-database.js';
import { apiKeys, type KeyRow } from '../database/tables/api-keys.js';
import { organizations } from '../database/tables/organizations.js';
import { sessions, signInCodes } from '../database/tables/sessions.js';
import type { Gateway } from '../gateway.js';
import { computeSha256 } from '../idempotency/claim.js';
import { CODE_RETENTION_MS } from './sign-in-codes.js';

/** Maximum duration of a session, in milliseconds. */
export const SESSION_MS = 12 * 3_600_000;
/**
 * Maximum time between two requests of a session, in milliseconds. After a longer time without a request, the session
 * ends.
 */
export const IDLE_MS = 2 * 3_600_000;
/** Minimum time between two recordings of the last use of a session, in milliseconds. */
const USE_INTERVAL_MS = 60_000;

export type SessionRow = typeof sessions.$inferSelect;

/** A session, and the row of the API key whose permissions the session has. */
export interface FoundSession {
  readonly session: SessionRow;
  readonly key: KeyRow;
}

/**
 * Starts a session with the permissions of an API key.
 *
 * @returns the token for the cookie, of which only a hash is stored
 */
export async function insertSession(
  db: Queries,
  key: Pick<KeyRow, 'id' | 'organizationId' | 'expiresAt'>,
  now: Date,
): Promise<{ readonly token: string; readonly session: SessionRow }> {
  const token = randomBytes(32).toString('base64url');
  const end = now.getTime() + SESSION_MS;
  const session: SessionRow = {
    tokenHash: computeSha256(token),
    organizationId: key.organizationId,
    apiKeyId: key.id,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: new Date(Math.min(end, key.expiresAt?.getTime() ?? end)),
  };
  await db.insert(sessions).values(session);
  return { token, session };
}

/** Finds a session of any organization by its token. Ignores sessions of organizations that are being deleted. */
export async function findSession(db: Queries, token: string): Promise<FoundSession | undefined> {
  const [row] = await selectSession(db).execute({ hash: computeSha256(token) });
  return row;
}

const selectSession = cacheStatementPerDatabase((db) =>
  db
    .select({ session: getTableColumns(sessions), key: getTableColumns(apiKeys) })
    .from(sessions)
    .innerJoin(apiKeys, eq(apiKeys.id, sessions.apiKeyId))
    .innerJoin(organizations, eq(organizations.id, apiKeys.organizationId))
    .where(and(eq(sessions.tokenHash, sql.placeholder('hash')), isNull(organizations.removedAt)))
    .prepare(UNNAMED_STATEMENT),
);

/** Ends the session with this token, if it exists. Also ends its event streams in all gateways. */
export async function endSession({ db, changes }: Pick<Gateway, 'db' | 'changes'>, token: string): Promise<void> {
  const tokenHash = computeSha256(token);
  await db.delete(sessions).where(eq(sessions.tokenHash, tokenHash));
  changes.publish({ kind: 'session', id: tokenHash });
}

/** Finds which of the given sessions have not ended. @returns the hashes of the tokens of these sessions */
export async function findOpenSessions(
  db: Queries,
  tokenHashes: readonly string[],
  now: Date,
): Promise<readonly string[]> {
  const rows = await db
    .select()
    .from(sessions)
    .where(inArray(sessions.tokenHash, [...tokenHashes]));
  return rows.filter((session) => getIdleExpiry(session) > now).map(({ tokenHash }) => tokenHash);
}

/** Sets the time of the last use of a session, unless a use was recorded within the last minute. */
export async function recordSessionUse(db: Queries, { tokenHash }: SessionRow, now: Date): Promise<void> {
  const isDue = lte(sessions.lastUsedAt, new Date(now.getTime() - USE_INTERVAL_MS));
  await db
    .update(sessions)
    .set({ lastUsedAt: now })
    .where(and(eq(sessions.tokenHash, tokenHash), isDue));
}

/** Returns true if no use of the session was recorded within the last minute. */
export function shouldRecordSessionUse({ lastUsedAt }: SessionRow, now: Date): boolean {
  return now.getTime() - lastUsedAt.getTime() >= USE_INTERVAL_MS;
}

/** Returns the time at which a session ends if no further request uses it. */
export function getIdleExpiry({ lastUsedAt, expiresAt }: SessionRow): Date {
  return new Date(Math.min(lastUsedAt.getTime() + IDLE_MS, expiresAt.getTime()));
}

/**
 * Deletes sessions that have expired, and one-time sign-in codes that expired at least a day ago.
 *
 * @returns the number of deleted rows
 */
export async function removeExpiredSessions(db: Queries, now: Date): Promise<number> {
  const ended = await db.delete(sessions).where(lte(sessions.expiresAt, now));
  const lastExpiry = new Date(now.getTime() - CODE_RETENTION_MS);
  const codes = await db.delete(signInCodes).where(lte(signInCodes.expiresAt, lastExpiry));
  return (ended.rowCount ?? 0) + (codes.rowCount ?? 0);
}
