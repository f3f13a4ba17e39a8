import type { OpenDatabase } from '../database/database.js';
import { openPostgresCounts } from './postgres-counts.js';
import { openRedisCounts } from './redis-counts.js';
import type { RequestCounts } from './request-counts.js';

/** Opens the request counts in Redis if the queues use Redis, otherwise in the database. */
export function openRequestCounts(queueUrl: string, database: Pick<OpenDatabase, 'pool'>): RequestCounts {
  return /^rediss?:/.test(queueUrl) ? openRedisCounts(queueUrl) : openPostgresCounts(database);
}
