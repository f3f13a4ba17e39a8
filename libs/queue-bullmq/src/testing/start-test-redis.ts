import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { findFreePort } from './free-port.js';

export interface TestRedis {
  readonly url: string;
  stop(): Promise<void>;
}

/** Neither for itself nor while a replica is filled. */
const ON_NO_DISK = [
  '--save',
  '',
  '--appendonly',
  'no',
  '--repl-diskless-sync',
  'yes',
  '--repl-diskless-load',
  'swapdb',
];

/** Whether this machine has a `redis-server` on its PATH. */
export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0;
}

/**
 * A Redis server of this machine that keeps nothing.
 *
 * @param port where it listens; a free one when absent
 * @param settings more of its arguments
 */
export async function startTestRedis(port?: number, settings: readonly string[] = []): Promise<TestRedis> {
  const at = port ?? (await findFreePort());
  const child = spawn('redis-server', ['--port', String(at), '--bind', '127.0.0.1', ...ON_NO_DISK, ...settings], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  for await (const chunk of child.stdout) if (String(chunk).includes('eady to accept connections')) break;
  if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode} before it was ready`);
  return {
    url: `redis://127.0.0.1:${at}`,
    async stop() {
      child.kill();
      await exited;
    },
  };
}
