import { index, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { apiKeys } from './api-keys.js';
import { inheritedOrganizationId } from './organizations.js';
import { moment, quarry } from './quarry-schema.js';

/** Responses to requests with an `Idempotency-Key`, so that a repeated request receives the same response. */
export const idempotencyKeys = quarry.table(
  'idempotency_keys',
  {
    organizationId: inheritedOrganizationId(),
    apiKeyId: uuid('api_key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    /** Such as `POST /datastores`. */
    route: text('route').notNull(),
    /** SHA-256 of the key, in hexadecimal. */
    keyHash: text('key_hash').notNull(),
    /** SHA-256 of the request, in hexadecimal. */
    fingerprint: text('fingerprint').notNull(),
    /**
     * Encrypted with the API key of the request, because a response may contain a secret that is stored nowhere else. Null while
     * the request is processed.
     */
    answer: text('answer'),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.apiKeyId, table.route, table.keyHash] }),
    index('idempotency_keys_expiry').on(table.expiresAt),
  ],
);
