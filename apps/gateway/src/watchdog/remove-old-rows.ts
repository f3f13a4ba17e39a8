import { and, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { organizations } from '../database/tables/organizations.js';
import { outbox } from '../database/tables/outbox.js';
import { usageMonths } from '../database/tables/usage-months.js';
import { usageStripes } from '../database/tables/usage-stripes.js';
import { formatMonth } from '../usage/query-reservations.js';

/** Number of months after which the usage of a month is deleted. */
const USAGE_MONTHS = 24;

/** Removes the usage of months that are older than two years. @returns the number of removed rows */
export async function removeOldUsage(db: Queries, now: Date): Promise<number> {
  const oldest = formatMonth(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - USAGE_MONTHS, 1)));
  let removed = 0;
  for (const table of [usageMonths, usageStripes]) {
    const everyOrganization = db.select({ id: organizations.id }).from(organizations);
    const isOld = and(inArray(table.organizationId, everyOrganization), lt(table.month, oldest));
    removed += (await db.delete(table).where(isOld)).rowCount ?? 0;
  }
  return removed;
}

/** Number of days for which operators can inspect a job that its queue refused. */
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
