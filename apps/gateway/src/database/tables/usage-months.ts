import { bigint, check, primaryKey, varchar } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import { organizationIdColumn } from './organizations.js';
import { quarry } from './quarry-schema.js';

/**
 * Counts the queries of an organization per month. The first query of a month inserts the row of the month, so that no
 * job has to reset the counts.
 */
export const usageMonths = quarry.table(
  'usage_months',
  {
    organizationId: organizationIdColumn(),
    /** The month in UTC, such as `2026-11`. */
    month: varchar('month', { length: 7 }).notNull(),
    agentQueries: bigint('agent_queries', { mode: 'number' }).notNull().default(0),
    datastoreQueries: bigint('datastore_queries', { mode: 'number' }).notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.month] }),
    check('usage_months_not_negative', sql`${table.agentQueries} >= 0 and ${table.datastoreQueries} >= 0`),
  ],
);
