import { ServiceReport } from '@quarry/contracts';
import type { StatusReporter } from '@quarry/service-kit';
import { parse } from '@quarry/validation';
import { eq, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { serviceReports } from '../database/tables/service-reports.js';

/** The last status report of a process of a service, as it is stored in the database. */
export interface StoredReport {
  readonly report: ServiceReport;
  readonly reportedAt: Date;
  /** Time since the report, in milliseconds, by the clock of the database. */
  readonly ageMs: number;
}

/** Time in seconds after which the last report of a process is deleted. */
const RETENTION_SECONDS = 600;

/** Stores the report of a process, and deletes the reports of processes that have not reported for 10 minutes. */
export async function storeServiceReport(db: Queries, report: ServiceReport): Promise<void> {
  const reportedAt = sql`now()`;
  await db
    .insert(serviceReports)
    .values({ instance: report.instance, report, reportedAt })
    .onConflictDoUpdate({ target: serviceReports.instance, set: { report, reportedAt } });
  await db.delete(serviceReports).where(sql`reported_at < now() - make_interval(secs => ${RETENTION_SECONDS})`);
}

/** Deletes the report of a process that stops. */
export async function removeServiceReport(db: Queries, instance: string): Promise<void> {
  await db.delete(serviceReports).where(eq(serviceReports.instance, instance));
}

/** Lists the last report of each process that has reported within the last 10 minutes. */
export async function listServiceReports(db: Queries): Promise<readonly StoredReport[]> {
  const { instance, report, reportedAt } = serviceReports;
  const rows = await db
    .select({ report, reportedAt, ageMs: sql<number>`extract(epoch from now() - ${reportedAt})::float8 * 1000` })
    .from(serviceReports)
    .where(sql`${reportedAt} >= now() - make_interval(secs => ${RETENTION_SECONDS})`)
    .orderBy(instance);
  // Parses the reports, because a gateway of another version may have stored a report with other fields.
  return rows.map((row) => ({ ...row, report: parse(ServiceReport, row.report, 'ignore') }));
}

/** Creates a reporter that stores the status of this process in the database. */
export function createDatabaseStatusReporter(db: Queries): StatusReporter {
  return {
    sendStatus: async (status) => storeServiceReport(db, parse(ServiceReport, status, 'ignore')),
    endInstance: async (instance) => removeServiceReport(db, instance),
  };
}
