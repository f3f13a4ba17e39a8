import type { Compatibility, Scope } from '@quarry/contracts';
import { boolean, index, text, uuid } from 'drizzle-orm/pg-core';
import { organizationIdColumn } from './organizations.js';
import { createdAtColumn, idColumn, timeColumn, quarry } from './quarry-schema.js';

export const apiKeys = quarry.table(
  'api_keys',
  {
    id: idColumn(),
    organizationId: organizationIdColumn(),
    name: text('name').notNull(),
    /** The first characters of the key, by which people recognize it. */
    prefix: text('prefix').notNull(),
    /** SHA-256 of the key, in hexadecimal. The key itself is not stored. */
    hash: text('hash').notNull().unique(),
    scopes: text('scopes').array().$type<Scope[]>().notNull(),
    /**
     * The ids of the agents that the key can access. If both this column and `datastoreIds` are null, the key can
     * access all agents and datastores.
     */
    agentIds: uuid('agent_ids').array(),
    /**
     * The ids of the datastores that the key can access. If only one of the two columns is set, the key can access
     * nothing of the other kind.
     */
    datastoreIds: uuid('datastore_ids').array(),
    /**
     * True for the root key, which the configuration of the installation sets. The key is revoked when the
     * configuration contains a different root key.
     */
    root: boolean('root').notNull().default(false),
    /** The API whose response format this key uses. Null: the format of Quarry. */
    compatibility: text('compatibility').$type<Compatibility>(),
    expiresAt: timeColumn('expires_at'),
    revokedAt: timeColumn('revoked_at'),
    /** When the key was last used, precise to the minute. */
    lastUsedAt: timeColumn('last_used_at'),
    createdAt: createdAtColumn(),
  },
  (table) => [index('api_keys_newest').on(table.organizationId, table.id)],
);

export type KeyRow = typeof apiKeys.$inferSelect;
