import { and, eq, isNull, ne } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { apiKeys } from '../database/tables/api-keys.js';
import { organizations } from '../database/tables/organizations.js';
import { hashApiKey, getVisiblePrefix } from './key-repository.js';
import { SCOPES } from '@quarry/contracts';

/**
 * The id of the default organization. It is a constant, so that gateways that start at the same time create only one
 * default organization.
 */
export const DEFAULT_ORGANIZATION_ID = '00000000-0000-7000-8000-000000000001';

/**
 * Matches a valid root key: 8 to 200 printable ASCII characters without spaces, which the header `Authorization` can
 * contain.
 */
export const VALID_ROOT_KEY = /^[\x21-\x7e]{8,200}$/;

/**
 * Creates the default organization, unless it exists. Makes `key` a valid root key of this organization, with every
 * scope and without limits. Revokes every other root key, so that operators can replace a leaked key.
 *
 * @param key the text of the key: 8 to 200 printable characters
 * @throws if the text is not a valid key
 */
export async function ensureRootKey(db: Queries, key: string): Promise<void> {
  if (!VALID_ROOT_KEY.test(key)) {
    throw new Error(
      `expected a root key of 8 to 200 printable characters without spaces, found ${key.length} characters`,
    );
  }
  const hash = hashApiKey(key);
  const rights = {
    ...{ organizationId: DEFAULT_ORGANIZATION_ID, scopes: [...SCOPES], root: true, revokedAt: null, expiresAt: null },
    ...{ agentIds: null, datastoreIds: null, compatibility: null },
  };
  await db.transaction(async (tx) => {
    await tx.insert(organizations).values({ id: DEFAULT_ORGANIZATION_ID, name: 'default' }).onConflictDoNothing();
    await tx
      .insert(apiKeys)
      .values({ id: newId(), name: 'root', prefix: getVisiblePrefix(key), hash, ...rights })
      .onConflictDoUpdate({ target: apiKeys.hash, set: rights });
    await tx
      .update(apiKeys)
      .set({ revokedAt: new Date() })
      .where(and(eq(apiKeys.root, true), ne(apiKeys.hash, hash), isNull(apiKeys.revokedAt)));
  });
}

/** Returns true if a root key was ever set. Returns false in a new installation, in which no API key exists. */
export async function hasRootKey(db: Queries): Promise<boolean> {
  const found = await db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.root, true)).limit(1);
  return found.length > 0;
}
