import { index, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { apiKeys } from './api-keys.js';
import { organizationIdColumn } from './organizations.js';
import { timeColumn, quarry } from './quarry-schema.js';

/** Stores responses to requests with an `Idempotency-Key`, so that a repeated request receives the same response. */
export const idempotencyKeys = quarry.table(
  'idempotency_keys',
  {
    organizationId: organizationIdColumn(),
    apiKeyId: uuid('api_key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    /** Method and path of the operation, such as `POST /datastores`. */
    route: text('route').notNull(),
    /** SHA-256 of the `Idempotency-Key`, in hexadecimal. */
    keyHash: text('key_hash').notNull(),
    /** SHA-256 of the parameters and body of the request, in hexadecimal. */
    fingerprint: text('fingerprint').notNull(),
    /**
     * The response, encrypted with the API key of the request, because it may contain a secret that is stored nowhere
     * else. Null while the request is being processed.
     */
    answer: text('answer'),
    expiresAt: timeColumn('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.apiKeyId, table.route, table.keyHash] }),
    index('idempotency_keys_of_organization').on(table.organizationId),
    index('idempotency_keys_expiry').on(table.expiresAt),
  ],
);
