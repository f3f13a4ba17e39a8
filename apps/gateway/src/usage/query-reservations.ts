import { and, eq, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { prepared, UNNAMED } from '../database/prepared.js';
import { organizations } from '../database/tables/organizations.js';
import { usageMonths } from '../database/tables/usage-months.js';
import { problem } from '../problems.js';
import { monthOf, nextMonth } from './month.js';

/** What is asked: both count against the organization's queries of the month. */
export type QueryKind = 'agentQueries' | 'datastoreQueries';

/** One query of an organization, counted in the month that it was asked in. */
export interface Reservation {
  readonly organizationId: string;
  readonly kind: QueryKind;
  readonly askedAt: Date;
}

/** Ends with the statement's transaction: https://www.postgresql.org/docs/current/wal-async-commit.html */
const WITHOUT_WAITING_FOR_THE_DISK = sql`(select set_config('synchronous_commit', 'off', true)) is not null`;

/**
 * Counts a query, unless the month's limit is reached: one statement, so that of any number at once no more than the limit
 * allows are let through. It does not wait until the disk has it: all queries of an organization count in one row, so they would
 * wait for each other's disk. A database that crashes may forget the last half second of counting, and nothing else.
 *
 * @throws Problem 402
 */
export async function reserveQuery(db: Queries, reservation: Reservation): Promise<void> {
  const { organizationId, kind, askedAt } = reservation;
  const counted = await COUNTING[kind](db).execute({ organizationId, month: monthOf(askedAt) });
  if (counted.length === 0) throw await limitReached(db, reservation);
}

const COUNTING = { agentQueries: counting('agentQueries'), datastoreQueries: counting('datastoreQueries') };

// The builder has a type of its vendor's that only inference can name.
function counting(kind: QueryKind) {
  const organizationId = sql.placeholder('organizationId');
  const limit = sql`(select ${organizations.agentQueriesPerMonth} from ${organizations} where ${organizations}.id = ${organizationId}::uuid)`;
  const first = sql`
    select ${organizationId}::uuid, ${sql.placeholder('month')}::text, ${kind === 'agentQueries' ? 1 : 0}, ${kind === 'agentQueries' ? 0 : 1}
    where coalesce(${limit}, 1) > 0 and ${WITHOUT_WAITING_FOR_THE_DISK}`;
  return prepared((db) =>
    db
      .insert(usageMonths)
      .select(first)
      .onConflictDoUpdate({
        target: [usageMonths.organizationId, usageMonths.month],
        set: { [kind]: sql`${usageMonths[kind]} + 1` },
        setWhere: sql`${usageMonths.agentQueries} + ${usageMonths.datastoreQueries} < coalesce(${limit}, ${Number.MAX_SAFE_INTEGER})`,
      })
      .returning({ month: usageMonths.month })
      .prepare(UNNAMED),
  );
}

/** Takes a query back that came to nothing, out of the month that it was counted in. */
export async function giveBackQuery(db: Queries, { organizationId, kind, askedAt }: Reservation): Promise<void> {
  await db
    .update(usageMonths)
    .set({ [kind]: sql`greatest(${usageMonths[kind]} - 1, 0)` })
    .where(and(eq(usageMonths.organizationId, organizationId), eq(usageMonths.month, monthOf(askedAt))));
}

async function limitReached(db: Queries, { organizationId, askedAt }: Reservation): Promise<Error> {
  const { used, limit } = await queriesOf(db, organizationId, askedAt);
  return problem(
    'usage_limit_reached',
    `The limit agentQueriesPerMonth allows ${limit ?? 0} queries a month, found ${used} in ${monthOf(askedAt)} (UTC). The next month begins at ${nextMonth(askedAt).toISOString()}.`,
  );
}

export interface QueriesOfMonth {
  /** Of both kinds. */
  readonly used: number;
  /** Null: none. */
  readonly limit: number | null;
  readonly agentQueries: number;
  readonly datastoreQueries: number;
}

/** How many queries an organization has asked in the month of a moment. */
export async function queriesOf(db: Queries, organizationId: string, moment: Date): Promise<QueriesOfMonth> {
  const ofMonth = and(eq(usageMonths.organizationId, organizations.id), eq(usageMonths.month, monthOf(moment)));
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
