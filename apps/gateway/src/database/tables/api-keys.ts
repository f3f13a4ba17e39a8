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
    /** The key's first characters, by which people tell keys apart. */
    prefix: text('prefix').notNull(),
    /** SHA-256 of the key, in hexadecimal. The key itself is kept nowhere. */
    hash: text('hash').notNull().unique(),
    scopes: text('scopes').array().$type<Scope[]>().notNull(),
    /** Null: not limited. A key that is limited in one of the two reaches nothing that neither names. */
    agentIds: uuid('agent_ids').array(),
    datastoreIds: uuid('datastore_ids').array(),
    /** Made from the configuration; replaced when the configuration names another. */
    root: boolean('root').notNull().default(false),
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
    /** Right to the minute. */
    lastUsedAt: moment('last_used_at'),
    createdAt: createdAt(),
  },
  (table) => [index('api_keys_newest').on(table.organizationId, table.id)],
);

export type KeyRow = typeof apiKeys.$inferSelect;
