import type { Scope } from '@quarry/contracts';
import { boolean, index, text, uuid } from 'drizzle-orm/pg-core';
import { organizationId } from './organizations.js';
import { createdAt, id, moment, quarry } from './quarry-schema.js';

export const apiKeys = quarry.table(
  'api_keys',
  {
    id: id(),
    organizationId: organizationId(),
    name: text('name').notNull(),
    /** The first characters of the key, by which people recognize it. */
    prefix: text('prefix').notNull(),
    /** SHA-256 of the key, in hexadecimal. The key itself is not stored. */
    hash: text('hash').notNull().unique(),
    scopes: text('scopes').array().$type<Scope[]>().notNull(),
    /** Null: no limit. A key with both lists reaches the union of the two, and nothing else. */
    agentIds: uuid('agent_ids').array(),
    datastoreIds: uuid('datastore_ids').array(),
    /** True for the key of the configuration, which is replaced when the configuration names another one. */
    root: boolean('root').notNull().default(false),
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
    /** Precise to the minute. */
    lastUsedAt: moment('last_used_at'),
    createdAt: createdAt(),
  },
  (table) => [index('api_keys_newest').on(table.organizationId, table.id)],
);

export type KeyRow = typeof apiKeys.$inferSelect;
