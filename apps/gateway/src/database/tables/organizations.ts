import { bigint, integer, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt, id, moment, quarry } from './quarry-schema.js';

/** Organizations, which are the tenants. */
export const organizations = quarry.table('organizations', {
  id: id(),
  name: text('name').notNull(),
  /** Null: no limit. */
  agentQueriesPerMonth: bigint('agent_queries_per_month', { mode: 'number' }),
  storedTokens: bigint('stored_tokens', { mode: 'number' }),
  /** Conversations are removed this many days after their last answer. Null: never. */
  conversationRetentionDays: integer('conversation_retention_days'),
  /** When the limit of stored tokens was last raised. Datasources that waited for it are started. */
  roomSince: moment('room_since'),
  /** Since when the keys of the organization are refused. Its data is removed in steps, and the row last. */
  removedAt: moment('removed_at'),
  createdAt: createdAt(),
});

export type OrganizationRow = typeof organizations.$inferSelect;

/** The tenant of a row. Every table has this column, and every query of a caller filters by it. */
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- as in quarry-schema.ts
export const organizationId = () =>
  uuid('organization_id')
    .notNull()
    .references(() => organizations.id, { onDelete: 'cascade' });

/**
 * The tenant of a row that another foreign key deletes with its parent. A second foreign key would need an index of its own, and
 * lock the organization at each insert.
 */
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- as in quarry-schema.ts
export const inheritedOrganizationId = () => uuid('organization_id').notNull();
