import { bigint, integer, varchar } from 'drizzle-orm/pg-core';
import { quarry } from './quarry-schema.js';

/** Counts the requests of each key per minute. rate-limiter-flexible defines, reads and writes this table. */
export const requestCounts = quarry.table('request_counts', {
  key: varchar('key', { length: 255 }).primaryKey(),
  points: integer('points').notNull().default(0),
  /** Milliseconds since 1970-01-01. */
  expire: bigint('expire', { mode: 'number' }),
});
