import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const COMPOSE_FILE = fileURLToPath(new URL('../../../../docker/compose.yaml', import.meta.url));

/** One instance of docker/compose.yaml beside any others. */
export interface ComposeProject {
  /** @throws with what it printed, when it fails */
  run(...parameters: readonly string[]): Promise<void>;
  /** Goes on until it is killed. */
  start(...parameters: readonly string[]): ChildProcess;
}

/** Whether this machine has Docker with Compose. */
export function hasCompose(): boolean {
  return spawnSync('docker', ['compose', 'version']).status === 0;
}

/**
 * @param name of the project, of lower case letters, digits and hyphens
 * @param override a file that changes what docker/compose.yaml says
 * @param port of 127.0.0.1 where the gateway is
 */
export function composeProject(name: string, override: string, port: number): ComposeProject {
  const start = (...parameters: readonly string[]): ChildProcess =>
    spawn('docker', ['compose', '-p', name, '-f', COMPOSE_FILE, '-f', override, ...parameters], {
      env: { ...process.env, QUARRY_PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  return {
    start,
    async run(...parameters) {
      const child = start(...parameters);
      let printed = '';
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (printed += String(chunk)));
      await once(child, 'close');
      if (child.exitCode === 0) return;
      throw new Error(`docker compose ${parameters.join(' ')} ended with ${String(child.exitCode)}: ${printed}`);
    },
  };
}
