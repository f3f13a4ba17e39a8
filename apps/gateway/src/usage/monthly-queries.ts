import { eq, sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Queries } from '../database/database.js';
import { organizations } from '../database/tables/organizations.js';
import { usageMonths } from '../database/tables/usage-months.js';
import { usageStripes } from '../database/tables/usage-stripes.js';

export interface QueriesOfMonth {
  /** Number of agent queries and datastore queries together, in the month. */
  readonly used: number;
  /** Maximum number of queries per month. Null: no limit. */
  readonly limit: number | null;
  readonly agentQueries: number;
  readonly datastoreQueries: number;
}

/**
 * Counts the queries that an organization made in the calendar month (UTC) that contains `moment`, and loads the
 * monthly limit.
 */
export async function loadMonthlyQueries(db: Queries, organizationId: string, moment: Date): Promise<QueriesOfMonth> {
  const month = formatMonth(moment);
  const [row] = await db
    .select({
      limit: organizations.agentQueriesPerMonth,
      agentQueries: sumQueries('agent_queries', month),
      datastoreQueries: sumQueries('datastore_queries', month),
    })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  const { limit = null, agentQueries = 0, datastoreQueries = 0 } = row ?? {};
  return { used: agentQueries + datastoreQueries, limit, agentQueries, datastoreQueries };
}

/**
 * Builds SQL that sums the query counts of all rows of an organization and month, including the row that gateways of
 * earlier versions write.
 */
function sumQueries(column: 'agent_queries' | 'datastore_queries', month: string): SQL<number> {
  const name = sql.identifier(column);
  const sumColumns = (table: PgTable): SQL =>
    sql`select ${name} as queries from ${table} counted where counted.organization_id = ${organizations}.id and counted.month = ${month}`;
  return sql`(select coalesce(sum(queries), 0) from (${sumColumns(usageStripes)} union all ${sumColumns(usageMonths)}) as both_tables)`.mapWith(
    Number,
  );
}

/** Formats the month in UTC to which a time belongs, such as `2026-11`. */
export function formatMonth(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}

/** Computes the start of the next month after a time, in UTC. */
export function computeNextMonth(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 1));
}
