import type { UsageDay } from '@quarry/contracts';
import { and, between, eq, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { usageDays } from '../database/tables/usage-days.js';
import { usageStripes } from '../database/tables/usage-stripes.js';
import { type DayRange, formatDay, listDays } from './day-range.js';
import { formatMonth } from './monthly-queries.js';
import { loadStoredContent, type StoredContent } from './stored-content.js';

/**
 * Loads the usage of each day of a range. The usage of the current day contains the content that is stored at this
 * moment.
 */
export async function loadDailyUsage(
  db: Queries,
  organizationId: string,
  { range, now }: { readonly range: DayRange; readonly now: Date },
): Promise<readonly UsageDay[]> {
  const queries = await loadQueriesByDay(db, organizationId, range);
  const stored = await loadStoredContentByDay(db, organizationId, range);
  const today = formatDay(now);
  if (range.to === today) stored.set(today, await loadStoredContent(db, organizationId));
  return listDays(range).map((day) => ({
    day,
    ...(queries.get(day) ?? { agentQueries: 0, datastoreQueries: 0 }),
    ...(stored.get(day) ?? { storedTokens: null, storedDocuments: null }),
  }));
}

type DayQueries = Pick<UsageDay, 'agentQueries' | 'datastoreQueries'>;

/**
 * Loads the number of queries of each day on which there were queries. Sums the counts over several rows, because the
 * counts of an organization in a month are spread over rows.
 */
async function loadQueriesByDay(
  db: Queries,
  organizationId: string,
  { from, to }: DayRange,
): Promise<ReadonlyMap<string, DayQueries>> {
  const { month, agentQueriesByDay, datastoreQueriesByDay } = usageStripes;
  const day = sql`${month} || to_char(number, 'fm-00')`.mapWith(String);
  const rows = await db
    .select({
      day,
      agentQueries: sql`sum(agent)`.mapWith(Number),
      datastoreQueries: sql`sum(datastore)`.mapWith(Number),
    })
    .from(usageStripes)
    .crossJoinLateral(
      sql`unnest(${agentQueriesByDay}, ${datastoreQueriesByDay}) with ordinality as counted(agent, datastore, number)`,
    )
    .where(
      and(
        eq(usageStripes.organizationId, organizationId),
        between(month, formatMonth(new Date(from)), formatMonth(new Date(to))),
        sql`agent + datastore > 0`,
      ),
    )
    .groupBy(sql`1`);
  return new Map(rows.map(({ day: found, ...counts }) => [found, counts]));
}

async function loadStoredContentByDay(
  db: Queries,
  organizationId: string,
  { from, to }: DayRange,
): Promise<Map<string, StoredContent>> {
  const { day, storedTokens, storedDocuments } = usageDays;
  const rows = await db
    .select({ day, storedTokens, storedDocuments })
    .from(usageDays)
    .where(and(eq(usageDays.organizationId, organizationId), between(day, from, to)));
  return new Map(rows.map(({ day: found, ...content }) => [found, content]));
}
