import { randomInt } from 'node:crypto';
import { and, asc, desc, eq, gt, sql, type Placeholder, type SQL } from 'drizzle-orm';
import { shareConcurrentCalls } from '../concurrency/share-concurrent-calls.js';
import type { Queries } from '../database/database.js';
import { cacheStatementPerDatabase, UNNAMED_STATEMENT } from '../database/cache-statement-per-database.js';
import { organizations } from '../database/tables/organizations.js';
import { DAYS_OF_MONTH, usageStripes } from '../database/tables/usage-stripes.js';
import { usageMonths } from '../database/tables/usage-months.js';
import { problem } from '../problems.js';
import { computeNextMonth, formatMonth, loadMonthlyQueries } from './monthly-queries.js';

/** The kinds of queries. Both kinds count against the monthly limit of the organization. */
export type QueryKind = 'agentQueries' | 'datastoreQueries';

/** A query of an organization that is counted. It is counted in the month and on the day of `askedAt`, in UTC. */
export interface Reservation {
  readonly organizationId: string;
  readonly kind: QueryKind;
  readonly askedAt: Date;
}

/**
 * SQL condition that is always true. As a side effect, the commit of its transaction returns before the data is on
 * disk: https://www.postgresql.org/docs/current/wal-async-commit.html
 */
const COMMIT_ASYNCHRONOUSLY = sql`(select set_config('synchronous_commit', 'off', true)) is not null`;

/** SQL for the number of queries that a row has counted. */
const USED = sql`(${usageStripes.agentQueries} + ${usageStripes.datastoreQueries})`;

/** Number of rows over which the counts of an organization in a month are spread. */
const STRIPES = 16;

/**
 * Counts a query, unless the monthly limit is reached. Parallel queries of one gateway share one database statement.
 * Parallel queries of several gateways update different rows, so that they rarely wait for each other. Each row counts
 * at most its allotment of queries, so that all rows together never exceed the limit. The commit does not wait for the
 * disk. So a crash of the database can lose the counts of about the last half second.
 *
 * @throws Problem 402
 */
export async function reserveQuery(db: Queries, reservation: Reservation): Promise<void> {
  const shared = await countSharedQueries(db)(reservation);
  if (shared.isCounted) return;
  // The shared statement counts either all of its queries or none. If it counted none, the limit may still permit this
  // single query.
  if (shared.queries > 1 && (await countQueriesIfAllotted(db, reservation, 1))) return;
  const { organizationId, askedAt } = reservation;
  const { used, limit } = await loadMonthlyQueries(db, organizationId, askedAt);
  const isCounted = (limit === null || used < limit) && (await allotAndCountQuery(db, reservation));
  if (!isCounted) throw await createQueryLimitProblem(db, reservation);
}

/** Counts concurrent queries of an organization with one statement. */
const countSharedQueries = cacheStatementPerDatabase((db) =>
  shareConcurrentCalls(
    ({ organizationId, kind, askedAt }: Reservation) =>
      `${organizationId} ${kind} ${formatMonth(askedAt)} ${askedAt.getUTCDate()}`,
    async (reservation, queries) => ({ isCounted: await countQueriesIfAllotted(db, reservation, queries), queries }),
  ),
);

/**
 * Adds a number of queries to one row, chosen at random. Returns false, without adding any, if the row may not count
 * all of them.
 */
async function countQueriesIfAllotted(
  db: Queries,
  { organizationId, kind, askedAt }: Reservation,
  added: number,
): Promise<boolean> {
  const stripe = randomInt(STRIPES);
  const values = { organizationId, month: formatMonth(askedAt), day: askedAt.getUTCDate(), stripe, added };
  return (await COUNT_STATEMENTS[kind](db).execute(values)).length > 0;
}

const BY_DAY = { agentQueries: 'agentQueriesByDay', datastoreQueries: 'datastoreQueriesByDay' } as const;

/**
 * Builds the column values of an update that adds queries to the count of a month and to the count of one of its days.
 *
 * @param day the day of the month, from 1
 * @param added the number of queries; negative to subtract
 */
function buildAddedQueries(
  kind: QueryKind,
  day: number | Placeholder,
  added: number | Placeholder,
): Readonly<Record<string, SQL>> {
  const byDay = usageStripes[BY_DAY[kind]];
  // The array is built from its parts, because PostgreSQL has no function that replaces one element of an array.
  const before = sql`${byDay}[1:${day}::int - 1]`;
  const after = sql`${byDay}[${day}::int + 1:${sql.raw(String(DAYS_OF_MONTH))}]`;
  const change = sql`+ ${added}::int`;
  return {
    [kind]: sql`${usageStripes[kind]} ${change}`,
    [BY_DAY[kind]]: sql`${before} || (${byDay}[${day}::int] ${change}) || ${after}`,
  };
}

const COUNT_STATEMENTS = {
  agentQueries: prepareCountStatement('agentQueries'),
  datastoreQueries: prepareCountStatement('datastoreQueries'),
};

// The return type is inferred, because Drizzle does not export the type of a prepared statement.
function prepareCountStatement(kind: QueryKind) {
  const organizationId = sql.placeholder('organizationId');
  const added = sql.placeholder('added');
  const limit = sql`(select ${organizations.agentQueriesPerMonth} from ${organizations} where ${organizations}.id = ${organizationId}::uuid)`;
  const isAllotted = sql`(${usageStripes.allottedLimit} = ${limit} and ${USED} + ${added}::int <= ${usageStripes.allotment})`;
  return cacheStatementPerDatabase((db) =>
    db
      .update(usageStripes)
      .set(buildAddedQueries(kind, sql.placeholder('day'), added))
      .where(
        and(
          eq(usageStripes.organizationId, organizationId),
          eq(usageStripes.month, sql.placeholder('month')),
          eq(usageStripes.stripe, sql.placeholder('stripe')),
          sql`(${limit} is null or ${isAllotted})`,
          COMMIT_ASYNCHRONOUSLY,
        ),
      )
      .returning({ stripe: usageStripes.stripe })
      .prepare(UNNAMED_STATEMENT),
  );
}

/**
 * Divides the queries that the organization may still make this month among all rows, then counts a query. This is
 * needed for the first query of a month, after a change of the limit, and when a row has used its allotment. Near the
 * limit, the row of this query receives all remaining queries.
 *
 * @returns false when the limit is reached
 */
async function allotAndCountQuery(db: Queries, reservation: Reservation): Promise<boolean> {
  const stripe = randomInt(STRIPES);
  const { organizationId, kind, askedAt } = reservation;
  const month = formatMonth(askedAt);
  const isOfMonth = and(eq(usageStripes.organizationId, organizationId), eq(usageStripes.month, month));
  return db.transaction(async (tx) => {
    // Inserts and locks the rows in one order, so that parallel transactions cannot deadlock.
    const rows = Array.from({ length: STRIPES }, (_, number) => ({ organizationId, month, stripe: number }));
    await tx.insert(usageStripes).values(rows).onConflictDoNothing();
    await tx
      .select({ stripe: usageStripes.stripe })
      .from(usageStripes)
      .where(isOfMonth)
      .orderBy(asc(usageStripes.stripe))
      .for('update');
    // Another statement reads the counts after the rows are locked, so that the counts include those of the
    // transactions that held the locks before.
    const { used, limit } = await loadMonthlyQueries(tx, organizationId, askedAt);
    if (limit !== null && used >= limit) return false;
    if (limit !== null) await allotQueriesToStripe(tx, isOfMonth, { limit, remaining: limit - used, stripe });
    await tx
      .update(usageStripes)
      .set(buildAddedQueries(kind, askedAt.getUTCDate(), 1))
      .where(and(isOfMonth, eq(usageStripes.stripe, stripe), COMMIT_ASYNCHRONOUSLY));
    return true;
  });
}

interface Allotment {
  readonly limit: number;
  /** Number of queries that the organization may still make in the month. */
  readonly remaining: number;
  /** The number of the row that also receives the remainder when `remaining` is divided among the rows. */
  readonly stripe: number;
}

/**
 * Divides the remaining queries equally among all rows of the month. The row `stripe` also receives the remainder of
 * the division.
 */
async function allotQueriesToStripe(
  tx: Queries,
  isOfMonth: SQL | undefined,
  { limit, remaining, stripe }: Allotment,
): Promise<void> {
  const share = Math.floor(remaining / STRIPES);
  const remainder = remaining - share * STRIPES;
  const extra = sql`case when ${usageStripes.stripe} = ${stripe} then ${remainder}::bigint else 0 end`;
  await tx
    .update(usageStripes)
    .set({ allottedLimit: limit, allotment: sql`${USED} + ${share}::bigint + ${extra}` })
    .where(isOfMonth);
}

/**
 * Makes the allotments of an organization invalid. The transaction that sets the monthly limit must call this. While an
 * organization has no limit, its queries can exceed the allotments. These would apply again if the same limit is set.
 */
export async function invalidateAllotments(tx: Queries, organizationId: string): Promise<void> {
  const { month, stripe } = usageStripes;
  const isOfOrganization = eq(usageStripes.organizationId, organizationId);
  // Locks the rows in the order of `allotAndCountQuery`, so that the transactions cannot deadlock.
  await tx.select({ stripe }).from(usageStripes).where(isOfOrganization).orderBy(month, stripe).for('update');
  await tx.update(usageStripes).set({ allottedLimit: null }).where(isOfOrganization);
}

/**
 * Subtracts a failed query from the counts of its month and its day. The row with the highest count of the day is
 * changed, which need not be the row that counted the query, because only the sum of all rows matters.
 */
export async function releaseQuery(db: Queries, { organizationId, kind, askedAt }: Reservation): Promise<void> {
  const month = formatMonth(askedAt);
  const isOfMonth = and(eq(usageStripes.organizationId, organizationId), eq(usageStripes.month, month));
  const day = askedAt.getUTCDate();
  const countedOnDay = sql`${usageStripes[BY_DAY[kind]]}[${day}::int]`;
  const highest = db
    .select({ stripe: usageStripes.stripe })
    .from(usageStripes)
    .where(and(isOfMonth, gt(usageStripes[kind], 0), gt(countedOnDay, 0)))
    .orderBy(desc(countedOnDay))
    .limit(1)
    .for('update');
  const released = await db
    .update(usageStripes)
    .set(buildAddedQueries(kind, day, -1))
    .where(and(isOfMonth, eq(usageStripes.stripe, sql`(${highest})`)))
    .returning({ stripe: usageStripes.stripe });
  if (released.length > 0) return;
  // If no row contains the query, a gateway of an earlier version may have counted it in `usage_months`.
  await db
    .update(usageMonths)
    .set({ [kind]: sql`greatest(${usageMonths[kind]} - 1, 0)` })
    .where(and(eq(usageMonths.organizationId, organizationId), eq(usageMonths.month, month)));
}

async function createQueryLimitProblem(db: Queries, { organizationId, askedAt }: Reservation): Promise<Error> {
  const { used, limit } = await loadMonthlyQueries(db, organizationId, askedAt);
  return problem(
    'usage_limit_reached',
    `The limit agentQueriesPerMonth allows ${limit ?? 0} queries per month, found ${used} in ${formatMonth(askedAt)} (UTC). The next month begins at ${computeNextMonth(askedAt).toISOString()}.`,
  );
}
