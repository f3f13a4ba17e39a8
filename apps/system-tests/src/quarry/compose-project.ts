import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';

const DOCKER = fileURLToPath(new URL('../../../../docker/', import.meta.url));

/** An instance of docker/compose.yaml that shares no containers and volumes with other instances. */
export interface ComposeProject {
  /** Runs a command of `docker compose`. @throws Error with the output of the command if the command fails */
  run(...parameters: readonly string[]): Promise<void>;
  /** Runs a script in the folder `docker`. @throws Error with the output of the script if the script fails */
  script(name: string, ...parameters: readonly string[]): Promise<void>;
  /** Starts a command of `docker compose`, without waiting for its end. */
  start(...parameters: readonly string[]): ChildProcess;
}

/** Returns whether Docker with Compose is installed on this machine. */
export function isComposeInstalled(): boolean {
  return spawnSync('docker', ['compose', 'version']).status === 0;
}

/**
 * Creates a Compose project.
 *
 * @param name name of the project, of lower case letters, digits and hyphens
 * @param override path of a compose file that overrides parts of docker/compose.yaml
 * @param port port of 127.0.0.1 at which the gateway is reachable
 */
export function createComposeProject(name: string, override: string, port: number): ComposeProject {
  const env = {
    ...process.env,
    COMPOSE_PROJECT_NAME: name,
    COMPOSE_FILE: [`${DOCKER}compose.yaml`, override].join(delimiter),
    QUARRY_PORT: String(port),
  };
  const startCommand = (command: readonly string[]): ChildProcess => {
    const [program = '', ...parameters] = command;
    return spawn(program, parameters, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  };
  const runCommand = async (command: readonly string[]): Promise<void> => {
    const child = startCommand(command);
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (printed += String(chunk)));
    await once(child, 'close');
    if (child.exitCode === 0) return;
    throw new Error(`expected ${command.join(' ')} to succeed, found exit code ${String(child.exitCode)}: ${printed}`);
  };
  return {
    run: (...parameters) => runCommand(['docker', 'compose', ...parameters]),
    script: (script, ...parameters) => runCommand(['sh', `${DOCKER}${script}`, ...parameters]),
    start: (...parameters) => startCommand(['docker', 'compose', ...parameters]),
  };
}
