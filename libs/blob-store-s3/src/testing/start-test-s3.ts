import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { S3Credentials, S3Settings } from '../s3-address.js';

const PROGRAM = 'versitygw';
const START_LIMIT_MS = 60_000;
const CREDENTIALS: S3Credentials = { accessKeyId: 'access-key-of-the-tests', secretAccessKey: 'secret-of-the-tests' };

export interface TestS3 {
  readonly settings: S3Settings & { readonly endpoint: string; readonly credentials: S3Credentials };
  /** Name of the only bucket of the server. */
  readonly bucket: string;
  /** Stops the server and removes its data. */
  readonly stop: () => Promise<void>;
}

/** Returns whether `versitygw` is on the PATH. */
export function hasS3Server(): boolean {
  return spawnSync(PROGRAM, ['--version']).status === 0;
}

/**
 * Starts a local S3 server with one bucket in a temporary folder, whose file system must support extended attributes.
 */
export async function startTestS3(): Promise<TestS3> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-s3-'));
  const bucket = 'quarry';
  await mkdir(join(folder, bucket));
  const endpoint = `http://127.0.0.1:${await findFreePort()}`;
  const access = ['--access', CREDENTIALS.accessKeyId, '--secret', CREDENTIALS.secretAccessKey];
  const serverOptions = ['--port', new URL(endpoint).host, '--health', '/health', '--quiet'];
  const server = spawn(PROGRAM, [...access, ...serverOptions, 'posix', folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errorOutput = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => (errorOutput += text));
  const ended = once(server, 'close');
  const stop = async (): Promise<void> => {
    server.kill();
    await ended;
    await rm(folder, { recursive: true });
  };
  const limit = Date.now() + START_LIMIT_MS;
  while (!(await isServerHealthy(`${endpoint}/health`))) {
    if (server.exitCode !== null || server.signalCode !== null || Date.now() > limit) {
      await stop();
      throw new Error(
        `the S3 server ${PROGRAM} exited or was not ready in ${START_LIMIT_MS} ms: ${errorOutput.trim()}`,
      );
    }
    await pause(20);
  }
  return { settings: { endpoint, region: 'us-east-1', credentials: CREDENTIALS }, bucket, stop };
}

async function isServerHealthy(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok === true;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server's address is always of this form
  server.close();
  await once(server, 'close');
  return port;
}
