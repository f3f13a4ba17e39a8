import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { OpenDatabase } from '../database/database.js';
import { COUNTING, countsOf } from './counts-of.js';
import { WINDOW_SECONDS, type RequestCounts } from './request-counts.js';

/** Counts in the table `request_counts`; what is over for an hour is deleted. The database stays the caller's to close. */
export function postgresCounts({ pool }: Pick<OpenDatabase, 'pool'>): RequestCounts {
  const limiter = new RateLimiterPostgres({
    ...COUNTING,
    duration: WINDOW_SECONDS,
    storeClient: pool,
    storeType: 'pool',
    schemaName: 'quarry',
    tableName: 'request_counts',
    tableCreated: true,
  });
  return countsOf(limiter, () => Promise.resolve());
}
