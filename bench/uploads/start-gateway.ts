import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createClient, type QuarryClient } from '@quarry/client';
import { startTestPostgres } from '@quarry/embedded-postgres/testing';

const MAIN = fileURLToPath(new URL('../../../apps/gateway/dist/main.js', import.meta.url));
const ROOT_KEY = `qk_${'bench-'.repeat(8)}`;
const START_DEADLINE_MS = 60_000;

/** A gateway in a process of its own, and nothing else of Quarry: what it takes is its own, and nothing reads what it keeps. */
export interface GatewayUnderTest {
  readonly client: QuarryClient;
  readonly pid: number;
  /** Where it keeps what was uploaded. */
  readonly blobs: string;
  stop(): Promise<void>;
}

/** @param folder for its data. @throws when it ends, or is not ready in time */
export async function startGateway(folder: string): Promise<GatewayUnderTest> {
  const postgres = await startTestPostgres();
  const port = await freePort();
  const blobs = join(folder, 'blobs');
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: postgres.url,
      QUARRY_QUEUE_URL: postgres.url,
      QUARRY_BLOB_URL: pathToFileURL(blobs).href,
      QUARRY_SEALING_KEY: randomBytes(32).toString('base64'),
      QUARRY_INTERNAL_TOKEN: 'bench',
      QUARRY_QUERY_URL: 'http://127.0.0.1:1',
      QUARRY_ROOT_KEY: ROOT_KEY,
      QUARRY_REQUESTS_PER_MINUTE: '0',
      QUARRY_LOG_LEVEL: 'warn',
      QUARRY_HOST: '127.0.0.1',
      QUARRY_PORT: String(port),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + START_DEADLINE_MS;
  while (!(await isAlive(url))) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error('the gateway did not start');
    await wait(50);
  }
  return {
    client: createClient({ baseUrl: `${url}/api`, apiKey: ROOT_KEY }),
    pid: child.pid ?? 0,
    blobs,
    stop: async () => {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
      await postgres.stop();
    },
  };
}

async function isAlive(url: string): Promise<boolean> {
  const response = await fetch(`${url}/health/live`).catch(() => undefined);
  return response?.ok === true;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // of a server that listens on a port
  server.close();
  await once(server, 'close');
  return port;
}
