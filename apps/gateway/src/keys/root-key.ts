import { and, eq, isNull, ne } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { apiKeys } from '../database/tables/api-keys.js';
import { organizations } from '../database/tables/organizations.js';
import { hashApiKey, visiblePrefix } from './api-key.js';
import { SCOPES } from '@quarry/contracts';

/** The same in every installation, so that gateways that start together make one. */
export const DEFAULT_ORGANIZATION_ID = '00000000-0000-7000-8000-000000000001';

/** Printable, without spaces, as an Authorization header can carry it. */
const USABLE = /^[\x21-\x7e]{8,200}$/;

/**
 * Makes the default organization and its root key, which has every scope, where they are missing. A root key that was set
 * before and is another one stops working: setting a new one is how a leaked one is replaced.
 *
 * @param key the key's text: 8 to 200 printable characters
 * @throws when the text cannot be a key
 */
export async function ensureRootKey(db: Queries, key: string): Promise<void> {
  if (!USABLE.test(key)) {
    throw new Error(
      `a root key has 8 to 200 printable characters and no spaces, found ${key.length} characters; leave it out to have one made`,
    );
  }
  const hash = hashApiKey(key);
  await db.transaction(async (tx) => {
    await tx.insert(organizations).values({ id: DEFAULT_ORGANIZATION_ID, name: 'default' }).onConflictDoNothing();
    await tx
      .insert(apiKeys)
      .values({
        id: newId(),
        organizationId: DEFAULT_ORGANIZATION_ID,
        name: 'root',
        prefix: visiblePrefix(key),
        hash,
        scopes: [...SCOPES],
        root: true,
      })
      .onConflictDoUpdate({ target: apiKeys.hash, set: { revokedAt: null, scopes: [...SCOPES], root: true } });
    await tx
      .update(apiKeys)
      .set({ revokedAt: new Date() })
      .where(and(eq(apiKeys.root, true), ne(apiKeys.hash, hash), isNull(apiKeys.revokedAt)));
  });
}

/** Returns whether a root key was ever set. Without one, nobody can enter an installation. */
export async function hasRootKey(db: Queries): Promise<boolean> {
  const found = await db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.root, true)).limit(1);
  return found.length > 0;
}
