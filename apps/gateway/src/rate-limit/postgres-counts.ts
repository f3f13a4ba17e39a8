import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { OpenDatabase } from '../database/database.js';
import { COUNTING, adaptLimiter } from './adapt-limiter.js';
import { WINDOW_SECONDS, type RequestCounts } from './request-counts.js';

/**
 * Opens request counts in the table `request_counts`. Rows are deleted an hour after they expire. The caller closes the database.
 */
export function openPostgresCounts({ pool }: Pick<OpenDatabase, 'pool'>): RequestCounts {
  const limiter = new RateLimiterPostgres({
    ...COUNTING,
    duration: WINDOW_SECONDS,
    storeClient: pool,
    storeType: 'pool',
    schemaName: 'quarry',
    tableName: 'request_counts',
    tableCreated: true,
  });
  return adaptLimiter(limiter, () => Promise.resolve());
}
