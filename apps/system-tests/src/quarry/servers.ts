import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hasS3Server, startTestS3 } from '@quarry/blob-store-s3/testing';
import { startTestPostgres } from '@quarry/embedded-postgres/testing';
import { findQdrant, startQdrantServer, type QdrantServer } from '@quarry/fragment-store-qdrant/testing';
import { startTestRedis } from '@quarry/queue-bullmq/testing';
import { METRICS_TOKEN, ROOT_KEY } from './quarry-process.js';
import type { Variables } from './stack.js';

/** Controls the running servers that the services need, such as PostgreSQL and Redis. */
export interface Servers {
  /** The environment variables with the addresses and credentials of the servers. */
  readonly variables: Variables;
  stop(): Promise<void>;
}

/** Controls the running servers, and holds the address and the process id of Qdrant. */
export interface ServersWithQdrant extends Servers {
  readonly qdrant: Pick<QdrantServer, 'url' | 'pid'>;
}

/**
 * Starts an empty PostgreSQL, Redis, Qdrant and S3. Without `versitygw` on the PATH, the blobs are stored in a folder.
 */
export async function startServers(): Promise<ServersWithQdrant> {
  const program = await findQdrant(process.env['PATH']);
  if (program === undefined) throw new Error('expected the program qdrant in a folder of the PATH, found none');
  const [postgres, redis, qdrant, blobs] = await Promise.all([
    startTestPostgres(),
    startTestRedis(),
    startQdrantServer(program),
    startBlobServer(),
  ]);
  return {
    qdrant,
    variables: {
      DATABASE_URL: await postgres.createDatabase(),
      QUARRY_QUEUE_URL: redis.url,
      QDRANT_URL: qdrant.url,
      ...blobs.variables,
      QUARRY_INTERNAL_TOKEN: randomBytes(16).toString('hex'),
      QUARRY_SEALING_KEY: randomBytes(32).toString('base64'),
      QUARRY_METRICS_TOKEN: METRICS_TOKEN,
      QUARRY_ROOT_KEY: ROOT_KEY,
      QUARRY_LOG_LEVEL: 'warn',
    },
    async stop() {
      await Promise.all([postgres.stop(), redis.stop(), qdrant.stop(), blobs.stop()]);
    },
  };
}

async function startBlobServer(): Promise<Servers> {
  if (!hasS3Server()) {
    const folder = await mkdtemp(join(tmpdir(), 'quarry-blobs-'));
    const stop = (): Promise<void> => rm(folder, { recursive: true, force: true });
    return { variables: { QUARRY_BLOB_URL: pathToFileURL(folder).href }, stop };
  }
  const { settings, bucket, stop } = await startTestS3();
  return {
    variables: {
      QUARRY_BLOB_URL: `s3://${bucket}`,
      QUARRY_S3_ENDPOINT: settings.endpoint,
      QUARRY_S3_ACCESS_KEY_ID: settings.credentials.accessKeyId,
      QUARRY_S3_SECRET_ACCESS_KEY: settings.credentials.secretAccessKey,
    },
    stop,
  };
}
