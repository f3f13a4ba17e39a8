import type { OpenDatabase } from '../database/database.js';
import { postgresCounts } from './postgres-counts.js';
import { redisCounts } from './redis-counts.js';
import type { RequestCounts } from './request-counts.js';

/** In Redis where the queues are there, else in the database. */
export function openCounts(queueUrl: string, database: Pick<OpenDatabase, 'pool'>): RequestCounts {
  return /^rediss?:/.test(queueUrl) ? redisCounts(queueUrl) : postgresCounts(database);
}
