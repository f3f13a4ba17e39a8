import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access, constants, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 10_000;

export interface QdrantServer {
  readonly url: string;
  readonly pid: number;
  /** Stops the server and deletes its files. */
  readonly stop: () => Promise<void>;
}

/**
 * Finds the `qdrant` program.
 *
 * @returns the path of the program, or undefined if no folder of `searchPath` contains it
 */
export async function findQdrant(searchPath: string | undefined): Promise<string | undefined> {
  for (const folder of (searchPath ?? '').split(delimiter).filter((entry) => entry !== '')) {
    const program = join(folder, 'qdrant');
    const found = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return program;
  }
  return undefined;
}

/** Describes the API key and the TLS certificate of the server. */
export interface QdrantAccess {
  readonly apiKey: string;
  /**
   * Paths of a certificate for 127.0.0.1 and of its key. The process that calls `startQdrantServer` must trust the
   * certificate.
   */
  readonly tls: { readonly certificate: string; readonly key: string };
}

export interface QdrantServerOptions {
  readonly access?: QdrantAccess;
  /** If true, the server runs as a cluster of one node. */
  readonly cluster?: boolean;
}

/** Starts an empty server for a test, on free ports of 127.0.0.1, with its files in a temporary folder. */
export async function startQdrantServer(
  program: string,
  { access, cluster = false }: QdrantServerOptions = {},
): Promise<QdrantServer> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-qdrant-'));
  const [httpPort, grpcPort, peerPort] = await findFreePorts(3);
  const clusterOptions = cluster ? ['--uri', `http://127.0.0.1:${String(peerPort)}`] : [];
  const server = spawn(program, ['--disable-telemetry', ...clusterOptions], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      QDRANT__LOG_LEVEL: 'WARN',
      QDRANT__TELEMETRY_DISABLED: 'true',
      QDRANT__SERVICE__HOST: '127.0.0.1',
      QDRANT__SERVICE__HTTP_PORT: String(httpPort),
      QDRANT__SERVICE__GRPC_PORT: String(grpcPort),
      QDRANT__SERVICE__ENABLE_STATIC_CONTENT: 'false',
      QDRANT__STORAGE__STORAGE_PATH: join(folder, 'storage'),
      QDRANT__STORAGE__SNAPSHOTS_PATH: join(folder, 'snapshots'),
      ...(access === undefined ? {} : buildAccessSettings(access)),
      ...(cluster ? { QDRANT__CLUSTER__ENABLED: 'true', QDRANT__CLUSTER__P2P__PORT: String(peerPort) } : {}),
    },
  });
  const errorOutput: string[] = [];
  server.stderr.setEncoding('utf8').on('data', (text: string) => errorOutput.push(text));
  const url = `${access === undefined ? 'http' : 'https'}://127.0.0.1:${String(httpPort)}`;
  const stop = async (): Promise<void> => {
    await stopProcess(server);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await waitUntilReady(url, server);
  } catch (cause) {
    await stop();
    throw new Error(`${program} did not start: ${errorOutput.join('').trim()}`, { cause });
  }
  return { url, pid: server.pid ?? 0, stop };
}

function buildAccessSettings({ apiKey, tls }: QdrantAccess): NodeJS.ProcessEnv {
  return {
    QDRANT__SERVICE__API_KEY: apiKey,
    QDRANT__SERVICE__ENABLE_TLS: 'true',
    QDRANT__TLS__CERT: tls.certificate,
    QDRANT__TLS__KEY: tls.key,
  };
}

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  const failed = once(server, 'exit').then(([code]) => {
    throw new Error(`the Qdrant server ended with code ${String(code)} before it was ready`);
  });
  const limit = AbortSignal.timeout(START_LIMIT_MS);
  await Promise.race([failed, pollUntilReady(url, limit)]);
  failed.catch(() => undefined);
}

async function pollUntilReady(url: string, limit: AbortSignal): Promise<void> {
  for (;;) {
    limit.throwIfAborted();
    const response = await fetch(`${url}/readyz`, { signal: limit }).catch(() => undefined);
    if (response?.ok === true) return;
    await pause(20, undefined, { signal: limit });
  }
}

async function stopProcess(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  const killTimer = setTimeout(() => server.kill('SIGKILL'), STOP_LIMIT_MS);
  await ended;
  clearTimeout(killTimer);
}

async function findFreePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(servers.map(getBoundPort));
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  return ports;
}

async function getBoundPort(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('expected a listening server to have a port, found none');
  return address.port;
}
