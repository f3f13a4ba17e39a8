import { index, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { apiKeys } from './api-keys.js';
import { organizationId } from './organizations.js';
import { moment, quarry } from './quarry-schema.js';

/** What was answered to a request that had an `Idempotency-Key`, so that the same request again gets the same answer. */
export const idempotencyKeys = quarry.table(
  'idempotency_keys',
  {
    organizationId: organizationId(),
    apiKeyId: uuid('api_key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    /** Such as `POST /datastores`. */
    route: text('route').notNull(),
    /** SHA-256 of the key, in hexadecimal. */
    keyHash: text('key_hash').notNull(),
    /** SHA-256 of what was asked, in hexadecimal. */
    fingerprint: text('fingerprint').notNull(),
    /** Sealed with the API key that asked: an answer may hold a secret that is kept nowhere else. Null while the request is carried out. */
    answer: text('answer'),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.apiKeyId, table.route, table.keyHash] }),
    index('idempotency_keys_expiry').on(table.expiresAt),
  ],
);
