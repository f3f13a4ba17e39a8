import { bigint, integer, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt, id, moment, quarry } from './quarry-schema.js';

/** Tenants. */
export const organizations = quarry.table('organizations', {
  id: id(),
  name: text('name').notNull(),
  /** Null: no limit. */
  agentQueriesPerMonth: bigint('agent_queries_per_month', { mode: 'number' }),
  storedTokens: bigint('stored_tokens', { mode: 'number' }),
  /** Conversations are removed so many days after their last answer. Null: they are kept. */
  conversationRetentionDays: integer('conversation_retention_days'),
  /** When the stored tokens were last allowed to be more: what was waiting for that goes on. */
  roomSince: moment('room_since'),
  /** Since when its keys let nobody in. What it holds goes bit by bit, and the row goes last. */
  removedAt: moment('removed_at'),
  createdAt: createdAt(),
});

export type OrganizationRow = typeof organizations.$inferSelect;

/** Whose a row is: every table has it, and every query of a caller filters by it. */
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- as in quarry-schema.ts
export const organizationId = () =>
  uuid('organization_id')
    .notNull()
    .references(() => organizations.id, { onDelete: 'cascade' });
