import { index, text, uuid } from 'drizzle-orm/pg-core';
import { apiKeys } from './api-keys.js';
import { organizationIdColumn } from './organizations.js';
import { createdAtColumn, timeColumn, quarry } from './quarry-schema.js';

/**
 * Stores the sessions of browsers. A session has the permissions of an API key, and ends when the key is deleted or
 * revoked.
 */
export const sessions = quarry.table(
  'sessions',
  {
    /** SHA-256 of the token in the cookie, in hexadecimal. The token itself is not stored. */
    tokenHash: text('token_hash').primaryKey(),
    organizationId: organizationIdColumn(),
    apiKeyId: uuid('api_key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    createdAt: createdAtColumn(),
    /** When the session was last used, precise to the minute. */
    lastUsedAt: timeColumn('last_used_at').notNull(),
    /** When the session ends, even if it is still in use. */
    expiresAt: timeColumn('expires_at').notNull(),
  },
  (table) => [
    index('sessions_of_organization').on(table.organizationId),
    index('sessions_of_key').on(table.apiKeyId),
    index('sessions_expiry').on(table.expiresAt),
  ],
);

/** Stores the one-time codes with which a browser signs in without an API key. */
export const signInCodes = quarry.table(
  'sign_in_codes',
  {
    /** SHA-256 of the code, in hexadecimal. The code itself is not stored. */
    codeHash: text('code_hash').primaryKey(),
    organizationId: organizationIdColumn(),
    /** The id of the API key whose permissions the new session gets. */
    apiKeyId: uuid('api_key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    expiresAt: timeColumn('expires_at').notNull(),
    /** When the code was used. Null: it is unused. */
    redeemedAt: timeColumn('redeemed_at'),
  },
  (table) => [
    index('sign_in_codes_of_organization').on(table.organizationId),
    index('sign_in_codes_of_key').on(table.apiKeyId),
    index('sign_in_codes_expiry').on(table.expiresAt),
  ],
);
