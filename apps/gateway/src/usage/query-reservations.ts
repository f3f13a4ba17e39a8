import { and, eq, sql } from 'drizzle-orm';
import type { Log } from '@quarry/service-kit';
import type { Queries } from '../database/database.js';
import { preparePerDatabase, UNNAMED_STATEMENT } from '../database/prepare-per-database.js';
import { organizations } from '../database/tables/organizations.js';
import { usageMonths } from '../database/tables/usage-months.js';
import { problem } from '../problems.js';
import { redactQueryParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';

/** The kinds of queries, which both count against the monthly limit of the organization. */
export type QueryKind = 'agentQueries' | 'datastoreQueries';

/** A query of an organization, which is counted in the month of `askedAt`. */
export interface Reservation {
  readonly organizationId: string;
  readonly kind: QueryKind;
  readonly askedAt: Date;
}

/**
 * Disables the wait for the disk at the commit of this transaction: https://www.postgresql.org/docs/current/wal-async-commit.html
 */
const COMMIT_ASYNCHRONOUSLY = sql`(select set_config('synchronous_commit', 'off', true)) is not null`;

/**
 * Counts a query, unless the monthly limit is reached. It is one statement, so parallel queries cannot exceed the limit. The
 * commit does not wait for the disk, because all queries of an organization update the same row and would wait for each other. A
 * crash of the database can lose about the last half second of counts.
 *
 * @throws Problem 402
 */
export async function reserveQuery(db: Queries, reservation: Reservation): Promise<void> {
  const { organizationId, kind, askedAt } = reservation;
  const counted = await COUNT_STATEMENTS[kind](db).execute({ organizationId, month: formatMonth(askedAt) });
  if (counted.length === 0) throw await createLimitProblem(db, reservation);
}

const COUNT_STATEMENTS = {
  agentQueries: prepareCountStatement('agentQueries'),
  datastoreQueries: prepareCountStatement('datastoreQueries'),
};

// The return type is inferred, because drizzle does not export a name for it.
function prepareCountStatement(kind: QueryKind) {
  const organizationId = sql.placeholder('organizationId');
  const limit = sql`(select ${organizations.agentQueriesPerMonth} from ${organizations} where ${organizations}.id = ${organizationId}::uuid)`;
  const first = sql`
    select ${organizationId}::uuid, ${sql.placeholder('month')}::text, ${kind === 'agentQueries' ? 1 : 0}, ${kind === 'agentQueries' ? 0 : 1}
    where coalesce(${limit}, 1) > 0 and ${COMMIT_ASYNCHRONOUSLY}`;
  return preparePerDatabase((db) =>
    db
      .insert(usageMonths)
      .select(first)
      .onConflictDoUpdate({
        target: [usageMonths.organizationId, usageMonths.month],
        set: { [kind]: sql`${usageMonths[kind]} + 1` },
        setWhere: sql`${usageMonths.agentQueries} + ${usageMonths.datastoreQueries} < coalesce(${limit}, ${Number.MAX_SAFE_INTEGER})`,
      })
      .returning({ month: usageMonths.month })
      .prepare(UNNAMED_STATEMENT),
  );
}

/** Subtracts a failed query from the count of the month in which it was counted. */
export async function releaseQuery(db: Queries, { organizationId, kind, askedAt }: Reservation): Promise<void> {
  await db
    .update(usageMonths)
    .set({ [kind]: sql`greatest(${usageMonths[kind]} - 1, 0)` })
    .where(and(eq(usageMonths.organizationId, organizationId), eq(usageMonths.month, formatMonth(askedAt))));
}

async function createLimitProblem(db: Queries, { organizationId, askedAt }: Reservation): Promise<Error> {
  const { used, limit } = await getMonthlyQueries(db, organizationId, askedAt);
  return problem(
    'usage_limit_reached',
    `The limit agentQueriesPerMonth allows ${limit ?? 0} queries per month, found ${used} in ${formatMonth(askedAt)} (UTC). The next month begins at ${computeNextMonth(askedAt).toISOString()}.`,
  );
}

export interface QueriesOfMonth {
  /** Number of queries of both kinds. */
  readonly used: number;
  /** Maximum number of queries per month. Null: no limit. */
  readonly limit: number | null;
  readonly agentQueries: number;
  readonly datastoreQueries: number;
}

/** Counts the queries of an organization in the month of a time, in UTC. */
export async function getMonthlyQueries(db: Queries, organizationId: string, moment: Date): Promise<QueriesOfMonth> {
  const ofMonth = and(eq(usageMonths.organizationId, organizations.id), eq(usageMonths.month, formatMonth(moment)));
  const [row] = await db
    .select({
      limit: organizations.agentQueriesPerMonth,
      agentQueries: usageMonths.agentQueries,
      datastoreQueries: usageMonths.datastoreQueries,
    })
    .from(organizations)
    .leftJoin(usageMonths, ofMonth)
    .where(eq(organizations.id, organizationId));
  const { limit = null, agentQueries, datastoreQueries } = row ?? {};
  const [agents, datastores] = [agentQueries ?? 0, datastoreQueries ?? 0];
  return { used: agents + datastores, limit, agentQueries: agents, datastoreQueries: datastores };
}

/** Describes a query that is counted before its work begins. */
interface ReservedQuery {
  readonly reservation: Reservation;
  readonly client: { hasDisconnected(): boolean };
  /** The log of the request. */
  readonly log: Log;
}

/**
 * Runs a query if the monthly limit allows it. A failed query is not counted, unless its client has disconnected, because its
 * work was done.
 *
 * @throws Problem 402 above the limit, and any error of `work`
 */
export async function withReservation<T>(
  { db }: Pick<Gateway, 'db'>,
  { reservation, client, log }: ReservedQuery,
  work: () => Promise<T>,
): Promise<T> {
  await reserveQuery(db, reservation);
  try {
    return await work();
  } catch (error) {
    if (!client.hasDisconnected()) {
      // A failure here must not hide the error of the query.
      await releaseQuery(db, reservation).catch((failure: unknown) => {
        log.warn({ err: redactQueryParameters(failure) }, 'failed to subtract a failed query from the usage');
      });
    }
    throw error;
  }
}

/** Formats the month of a time in UTC, such as `2026-11`. */
export function formatMonth(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}

/** Computes the start of the next month after a time, in UTC. */
export function computeNextMonth(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 1));
}
