import type { ServiceReport } from '@quarry/contracts';
import { jsonb, text } from 'drizzle-orm/pg-core';
import { quarry, timeColumn } from './quarry-schema.js';

/**
 * Stores the latest state that each process of a service reported. Processes report every 15 seconds. The reports
 * belong to no organization.
 */
export const serviceReports = quarry.table('service_reports', {
  /** Identifies the process: the name of its host and its process id. */
  instance: text('instance').primaryKey(),
  report: jsonb('report').$type<ServiceReport>().notNull(),
  /** When the report arrived, by the clock of the database. */
  reportedAt: timeColumn('reported_at').notNull(),
});
