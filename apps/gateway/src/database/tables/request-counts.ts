import { bigint, integer, varchar } from 'drizzle-orm/pg-core';
import { quarry } from './quarry-schema.js';

/** How often each key asked in its minute. The shape is rate-limiter-flexible's, which reads and writes it. */
export const requestCounts = quarry.table('request_counts', {
  key: varchar('key', { length: 255 }).primaryKey(),
  points: integer('points').notNull().default(0),
  /** Milliseconds since 1970. */
  expire: bigint('expire', { mode: 'number' }),
});
