import { and, eq, isNull, lte, or } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { apiKeys } from '../database/tables/api-keys.js';
import { hashApiKey, visiblePrefix } from './api-key.js';
import type { Scope } from './scopes.js';

export type KeyRow = typeof apiKeys.$inferSelect;

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Limits the key to these; absent: no limit. */
  readonly agentIds?: readonly string[];
  readonly datastoreIds?: readonly string[];
  readonly expiresAt?: Date;
}

/** Of any organization: the key itself says which. */
export async function findKeyByHash(db: Queries, hash: string): Promise<KeyRow | undefined> {
  const [row] = await db.select().from(apiKeys).where(eq(apiKeys.hash, hash));
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

/** @returns whether the organization has such a key, revoked now or before */
export async function revokeKey(db: Queries, organizationId: string, keyId: string, now: Date): Promise<boolean> {
  const revoked = await db
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(eq(apiKeys.organizationId, organizationId), eq(apiKeys.id, keyId)))
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
