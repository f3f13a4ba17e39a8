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
  /** The one that it has. */
  readonly bucket: string;
  /** Ends the server and removes what it keeps. */
  readonly stop: () => Promise<void>;
}

/** Whether this machine has a `versitygw` on its PATH. */
export function hasS3Server(): boolean {
  return spawnSync(PROGRAM, ['--version']).status === 0;
}

/** An S3 server of this machine with one bucket, which is a temporary folder: its file system must have extended attributes. */
export async function startTestS3(): Promise<TestS3> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-s3-'));
  const bucket = 'quarry';
  await mkdir(join(folder, bucket));
  const endpoint = `http://127.0.0.1:${await findFreePort()}`;
  const access = ['--access', CREDENTIALS.accessKeyId, '--secret', CREDENTIALS.secretAccessKey];
  const listening = ['--port', new URL(endpoint).host, '--health', '/health', '--quiet'];
  const server = spawn(PROGRAM, [...access, ...listening, 'posix', folder], { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const ended = once(server, 'close');
  const stop = async (): Promise<void> => {
    server.kill();
    await ended;
    await rm(folder, { recursive: true });
  };
  const limit = Date.now() + START_LIMIT_MS;
  while (!(await answers(`${endpoint}/health`))) {
    if (server.exitCode !== null || Date.now() > limit) {
      await stop();
      throw new Error(`${PROGRAM} did not start: ${complaints.trim()}`);
    }
    await pause(20);
  }
  return { settings: { endpoint, region: 'us-east-1', credentials: CREDENTIALS }, bucket, stop };
}

async function answers(url: string): Promise<boolean> {
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
