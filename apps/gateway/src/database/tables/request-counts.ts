import { bigint, integer, varchar } from 'drizzle-orm/pg-core';
import { quarry } from './quarry-schema.js';

/**
 * Counts the requests of each API key per minute. The library rate-limiter-flexible defines the columns and accesses
 * the table.
 */
export const requestCounts = quarry.table('request_counts', {
  key: varchar('key', { length: 255 }).primaryKey(),
  points: integer('points').notNull().default(0),
  /** When the count expires, in milliseconds since 1970-01-01. */
  expire: bigint('expire', { mode: 'number' }),
});
