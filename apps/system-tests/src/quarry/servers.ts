import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startTestPostgres } from '@quarry/embedded-postgres/testing';
import { findQdrant, startQdrantServer } from '@quarry/fragment-store-qdrant/testing';
import { startTestRedis } from '@quarry/queue-bullmq/testing';
import { ROOT_KEY } from './quarry-process.js';
import type { Variables } from './stacks.js';

/** What the services work on. */
export interface Servers {
  /** Where they find it. */
  readonly variables: Variables;
  stop(): Promise<void>;
}

/** Starts a PostgreSQL, a Redis and a Qdrant that are empty, and makes a folder for blobs. */
export async function startServers(): Promise<Servers> {
  const program = await findQdrant(process.env['PATH']);
  if (program === undefined) throw new Error('there is no qdrant on PATH');
  const [postgres, redis, qdrant, blobs] = await Promise.all([
    startTestPostgres(),
    startTestRedis(),
    startQdrantServer(program),
    mkdtemp(join(tmpdir(), 'quarry-blobs-')),
  ]);
  return {
    variables: {
      DATABASE_URL: await postgres.createDatabase(),
      QUARRY_QUEUE_URL: redis.url,
      QDRANT_URL: qdrant.url,
      QUARRY_BLOB_URL: pathToFileURL(blobs).href,
      QUARRY_INTERNAL_TOKEN: randomBytes(16).toString('hex'),
      QUARRY_SEALING_KEY: randomBytes(32).toString('base64'),
      QUARRY_ROOT_KEY: ROOT_KEY,
      QUARRY_LOG_LEVEL: 'warn',
    },
    async stop() {
      await Promise.all([postgres.stop(), redis.stop(), qdrant.stop()]);
      await rm(blobs, { recursive: true, force: true });
    },
  };
}
