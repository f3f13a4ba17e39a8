import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { findFreePort } from './free-port.js';

export interface TestRedis {
  readonly url: string;
  stop(): Promise<void>;
}

/** Arguments that disable persistence, and the use of the disk during replication. */
const DISKLESS = ['--save', '', '--appendonly', 'no', '--repl-diskless-sync', 'yes', '--repl-diskless-load', 'swapdb'];

/** Returns true if `redis-server` is on the PATH. */
export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0;
}

/**
 * Starts a Redis server without persistence.
 *
 * @param port the port to listen on; default: a free port
 * @param settings further arguments of the server
 */
export async function startTestRedis(port?: number, settings: readonly string[] = []): Promise<TestRedis> {
  const listeningPort = port ?? (await findFreePort());
  const child = spawn(
    'redis-server',
    ['--port', String(listeningPort), '--bind', '127.0.0.1', ...DISKLESS, ...settings],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exited = once(child, 'exit');
  let isReady = false;
  for await (const chunk of child.stdout) {
    isReady = String(chunk).includes('eady to accept connections');
    if (isReady) break;
  }
  if (!isReady) {
    await exited;
    throw new Error(`redis-server ended with ${child.signalCode ?? `exit code ${child.exitCode}`} before it was ready`);
  }
  return {
    url: `redis://127.0.0.1:${listeningPort}`,
    async stop() {
      child.kill();
      await exited;
    },
  };
}
