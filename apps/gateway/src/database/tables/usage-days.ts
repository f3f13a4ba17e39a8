import { bigint, date, index, primaryKey } from 'drizzle-orm/pg-core';
import { organizationIdColumn } from './organizations.js';
import { quarry } from './quarry-schema.js';

/**
 * Stores the amount of content that an organization had stored at the end of each day. The watchdog writes the rows of
 * a day after the day has ended.
 */
export const usageDays = quarry.table(
  'usage_days',
  {
    organizationId: organizationIdColumn(),
    /** The day in UTC, such as `2026-11-24`. */
    day: date('day', { mode: 'string' }).notNull(),
    storedTokens: bigint('stored_tokens', { mode: 'number' }).notNull(),
    storedDocuments: bigint('stored_documents', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.day] }),
    // The watchdog selects the newest day, and deletes the oldest days.
    index('usage_days_by_day').on(table.day),
  ],
);
