import { and, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { organizations } from '../database/tables/organizations.js';
import { outbox } from '../database/tables/outbox.js';
import { usageDays } from '../database/tables/usage-days.js';
import { usageMonths } from '../database/tables/usage-months.js';
import { usageStripes } from '../database/tables/usage-stripes.js';
import { formatDay, getOldestUsageDay } from '../usage/day-range.js';
import { formatMonth } from '../usage/monthly-queries.js';

/** Removes the counted usage of months and days that are older than two years. @returns the number of removed rows */
export async function removeOldUsage(db: Queries, now: Date): Promise<number> {
  const oldest = getOldestUsageDay(now);
  const everyOrganization = db.select({ id: organizations.id }).from(organizations);
  let removed = 0;
  for (const table of [usageMonths, usageStripes]) {
    const isOld = and(inArray(table.organizationId, everyOrganization), lt(table.month, formatMonth(oldest)));
    removed += (await db.delete(table).where(isOld)).rowCount ?? 0;
  }
  const isOldDay = and(inArray(usageDays.organizationId, everyOrganization), lt(usageDays.day, formatDay(oldest)));
  return removed + ((await db.delete(usageDays).where(isOldDay)).rowCount ?? 0);
}

/** Number of days for which a job that its queue refused is stored, so that operators can inspect it. */
const REFUSED_JOB_DAYS = 30;
const MAX_REFUSED_JOBS = 1_000;

/** Removes refused jobs after 30 days, at most 1,000 per call. @returns the number of removed jobs */
export async function removeRefusedJobs(db: Queries, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - REFUSED_JOB_DAYS * 86_400_000);
  const old = db
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(isNotNull(outbox.refusal), lt(outbox.createdAt, oldest)))
    .limit(MAX_REFUSED_JOBS);
  const { rowCount } = await db.delete(outbox).where(sql`${outbox.id} = any(array(${old}))`);
  return rowCount ?? 0;
}
