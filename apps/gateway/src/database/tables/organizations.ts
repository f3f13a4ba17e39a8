import { bigint, integer, text, uuid } from 'drizzle-orm/pg-core';
import { createdAtColumn, idColumn, timeColumn, quarry } from './quarry-schema.js';

/** Stores the organizations, which are the tenants of the installation. */
export const organizations = quarry.table('organizations', {
  id: idColumn(),
  name: text('name').notNull(),
  /** Maximum number of queries to agents and datastores together, per month. Null: no limit. */
  agentQueriesPerMonth: bigint('agent_queries_per_month', { mode: 'number' }),
  /** Maximum number of stored tokens. Null: no limit. */
  storedTokens: bigint('stored_tokens', { mode: 'number' }),
  /** Maximum number of jobs per queue that are published and have not ended. Null: no limit. */
  concurrentJobs: integer('concurrent_jobs'),
  /** Weight of the organization in a busy queue. An organization with twice the weight gets twice as many places. */
  jobWeight: integer('job_weight').notNull().default(1),
  /**
   * Number of days from the last answer of a conversation until the conversation is removed. Null: it is never removed.
   */
  conversationRetentionDays: integer('conversation_retention_days'),
  /**
   * When the limit of stored tokens was last raised. Datasources that reached the limit before are synced again. Null:
   * the limit was never raised.
   */
  roomSince: timeColumn('room_since'),
  /**
   * When the deletion of the organization began. From then on, its keys are refused. Its data is removed in steps, this
   * row last.
   */
  removedAt: timeColumn('removed_at'),
  createdAt: createdAtColumn(),
});

export type OrganizationRow = typeof organizations.$inferSelect;

/** Declares the column with the organization of a row. Every query on behalf of a caller filters by this column. */
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- as in quarry-schema.ts
export const organizationIdColumn = () =>
  uuid('organization_id')
    .notNull()
    .references(() => organizations.id, { onDelete: 'cascade' });
