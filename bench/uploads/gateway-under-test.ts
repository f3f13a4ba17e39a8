import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient, type QuarryClient } from '@quarry/client';
import { startTestPostgres } from '@quarry/embedded-postgres/testing';
import { findFreePort } from '@quarry/queue-bullmq/testing';
import { ROOT_KEY, startService } from '@quarry/system-tests';

/** A gateway in its own process without the other services, so that only its own memory is measured. */
export interface GatewayUnderTest {
  readonly client: QuarryClient;
  readonly pid: number;
  /** Path of the folder in which the gateway stores uploads. */
  readonly blobs: string;
  stop(): Promise<void>;
}

/** Starts a gateway. @param folder for the data of the gateway @throws Error if it exits or is not ready in time */
export async function startGateway(folder: string): Promise<GatewayUnderTest> {
  const postgres = await startTestPostgres();
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const blobs = join(folder, 'blobs');
  const gateway = await startService('gateway', port, {
    DATABASE_URL: postgres.url,
    QUARRY_QUEUE_URL: postgres.url,
    QUARRY_BLOB_URL: pathToFileURL(blobs).href,
    QUARRY_SEALING_KEY: randomBytes(32).toString('base64'),
    QUARRY_INTERNAL_TOKEN: 'bench',
    QUARRY_QUERY_URL: url,
    QUARRY_ROOT_KEY: ROOT_KEY,
    QUARRY_RATE_LIMIT: '0',
    QUARRY_LOG_LEVEL: 'warn',
  });
  return {
    client: createClient({ baseUrl: `${url}/api`, apiKey: ROOT_KEY }),
    pid: gateway.pid,
    blobs,
    stop: async () => {
      await gateway.stop();
      await postgres.stop();
    },
  };
}
