import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { randomBytes } from 'node:crypto';
import { hasS3Server } from '@quarry/blob-store-s3/testing';
import { startTestPostgres } from '@quarry/embedded-postgres/testing';
import { findFreePort } from '@quarry/queue-bullmq/testing';
import { ROOT_KEY } from '../quarry/quarry-process.js';
import type { Servers } from '../quarry/servers.js';
import { listDescendantProcesses, listFilesOfFolder, type ProcessEntry } from './list-processes.js';
import { Program } from './program.js';

const BUCKET = 'quarry';
const ACCESS_KEY = { id: 'access-key-of-the-tests', secret: 'secret-of-the-tests' };

/**
 * Controls the servers that the services use, such as Redis. A campaign can kill, suspend and restart their processes.
 */
export interface FragileServers extends Servers {
  readonly programs: Readonly<Record<string, Program>>;
  /** Deletes all data of Redis, as a restart without its append-only file does. */
  flushRedis(): Promise<void>;
  /** Lists the processes of PostgreSQL. The first is its main process. */
  findPostgres(): Promise<readonly ProcessEntry[]>;
  /** Lists the paths of the files with stored blobs. */
  listBlobs(): Promise<readonly string[]>;
}

export async function startFragileServers(): Promise<FragileServers> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-faults-'));
  const postgres = await startTestPostgres({ synchronous_commit: 'on' });
  const ports = {
    redis: await findFreePort(),
    qdrant: await findFreePort(),
    grpc: await findFreePort(),
    s3: await findFreePort(),
  };
  for (const name of ['redis', 'qdrant', `s3/${BUCKET}`]) await mkdir(join(folder, name), { recursive: true });
  const programs: Record<string, Program> = {
    Redis: createRedisProgram(join(folder, 'redis'), ports.redis),
    Qdrant: createQdrantProgram(join(folder, 'qdrant'), ports.qdrant, ports.grpc),
    ...(hasS3Server() ? { S3: createS3Program(join(folder, 's3'), ports.s3) } : {}),
  };
  await Promise.all(Object.values(programs).map((program) => program.start()));
  return {
    programs,
    variables: {
      DATABASE_URL: await postgres.createDatabase(),
      QUARRY_QUEUE_URL: `redis://127.0.0.1:${ports.redis}`,
      QDRANT_URL: `http://127.0.0.1:${ports.qdrant}`,
      ...(programs['S3'] === undefined
        ? { QUARRY_BLOB_URL: pathToFileURL(join(folder, 's3')).href }
        : createS3Variables(ports.s3)),
      QUARRY_INTERNAL_TOKEN: randomBytes(16).toString('hex'),
      QUARRY_SEALING_KEY: randomBytes(32).toString('base64'),
      QUARRY_ROOT_KEY: ROOT_KEY,
      QUARRY_LOG_LEVEL: 'warn',
    },
    flushRedis: async () => {
      await sendRedisCommand(ports.redis, 'FLUSHALL');
    },
    findPostgres: async () => {
      const all = await listDescendantProcesses(process.pid);
      const server = all.find((entry) => entry.command.includes(postgres.home));
      return server === undefined ? [] : [server, ...all.filter(({ parent }) => parent === server.pid)];
    },
    listBlobs: async () => listFilesOfFolder(join(folder, 's3', BUCKET)),
    stop: async () => {
      await Promise.all([postgres.stop(), ...Object.values(programs).map((program) => program.stop())]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Creates a Redis that writes each change to its append-only file before it responds, as in docker/compose.yaml. */
function createRedisProgram(folder: string, port: number): Program {
  return new Program({
    command: 'redis-server',
    parameters: ['--port', String(port), '--bind', '127.0.0.1', '--appendonly', 'yes', '--save', '', '--dir', folder],
    folder,
    isReady: async () => (await sendRedisCommand(port, 'PING')).includes('PONG'),
  });
}

function createQdrantProgram(folder: string, port: number, grpc: number): Program {
  return new Program({
    command: 'qdrant',
    parameters: ['--disable-telemetry'],
    folder,
    environment: {
      QDRANT__LOG_LEVEL: 'ERROR',
      QDRANT__SERVICE__HOST: '127.0.0.1',
      QDRANT__SERVICE__HTTP_PORT: String(port),
      QDRANT__SERVICE__GRPC_PORT: String(grpc),
      QDRANT__SERVICE__ENABLE_STATIC_CONTENT: 'false',
      QDRANT__STORAGE__STORAGE_PATH: join(folder, 'storage'),
      QDRANT__STORAGE__SNAPSHOTS_PATH: join(folder, 'snapshots'),
    },
    isReady: async () => respondsWithOk(`http://127.0.0.1:${port}/readyz`),
  });
}

function createS3Program(folder: string, port: number): Program {
  const access = ['--access', ACCESS_KEY.id, '--secret', ACCESS_KEY.secret];
  return new Program({
    command: 'versitygw',
    parameters: [...access, '--port', `127.0.0.1:${port}`, '--health', '/health', '--quiet', 'posix', folder],
    folder,
    isReady: async () => respondsWithOk(`http://127.0.0.1:${port}/health`),
  });
}

function createS3Variables(port: number): Readonly<Record<string, string>> {
  return {
    QUARRY_BLOB_URL: `s3://${BUCKET}`,
    QUARRY_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    QUARRY_S3_ACCESS_KEY_ID: ACCESS_KEY.id,
    QUARRY_S3_SECRET_ACCESS_KEY: ACCESS_KEY.secret,
  };
}

async function respondsWithOk(url: string): Promise<boolean> {
  const response = await fetch(url);
  await response.body?.cancel();
  return response.ok;
}

/** Sends an inline command to Redis and returns the response. Source: the Redis serialization protocol. */
async function sendRedisCommand(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write(`${text}\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer]; // of a socket without an encoding
    return answer.toString();
  } finally {
    socket.destroy();
  }
}
