import { bigint, check, integer, primaryKey, smallint, varchar } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import { organizationIdColumn } from './organizations.js';
import { quarry } from './quarry-schema.js';

/** Maximum number of days of a month. It is the length of the arrays with counts by day. */
export const DAYS_OF_MONTH = 31;

/** Declares an array with the number of queries of each day of the month, in UTC. */
const dailyQueriesColumn = (name: string) =>
  integer(name)
    .array()
    .notNull()
    .default(Array.from({ length: DAYS_OF_MONTH }, () => 0));

/**
 * Counts the queries of an organization in a month. The counts are spread over several rows (stripes), so that parallel
 * queries can update different rows without waiting for each other. The usage is the sum of these rows and of the row
 * in `usage_months`, in which earlier versions counted.
 */
export const usageStripes = quarry.table(
  'usage_stripes',
  {
    organizationId: organizationIdColumn(),
    /** The month in UTC, such as `2026-11`. */
    month: varchar('month', { length: 7 }).notNull(),
    stripe: smallint('stripe').notNull(),
    agentQueries: bigint('agent_queries', { mode: 'number' }).notNull().default(0),
    datastoreQueries: bigint('datastore_queries', { mode: 'number' }).notNull().default(0),
    /** Number of agent queries by day. Queries that earlier versions counted belong to no day. */
    agentQueriesByDay: dailyQueriesColumn('agent_queries_by_day'),
    datastoreQueriesByDay: dailyQueriesColumn('datastore_queries_by_day'),
    /**
     * Maximum number of queries that this row may count. The sum over all rows of a month never exceeds
     * `allottedLimit`. Null: no number was allotted yet.
     */
    allotment: bigint('allotment', { mode: 'number' }),
    /** The monthly limit from which the allotment was computed. If the limit changes, the allotment is invalid. */
    allottedLimit: bigint('allotted_limit', { mode: 'number' }),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.month, table.stripe] }),
    check('usage_stripes_not_negative', sql`${table.agentQueries} >= 0 and ${table.datastoreQueries} >= 0`),
  ],
);
