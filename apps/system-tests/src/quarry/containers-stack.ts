import { execFileSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@quarry/queue-bullmq/testing';
import { createComposeProject, isComposeInstalled, type ComposeProject } from './compose-project.js';
import { SERVICES } from './five-services.js';
import { LISTENER, SOCKETS, startHostRelay } from './host-relay.js';
import { ROOT_KEY } from './quarry-process.js';
import type { Ending, RunningStack, StackKind, Variables } from './stack.js';

const MAKE_SECRETS = fileURLToPath(new URL('../../../../docker/make-secrets.sh', import.meta.url));

/**
 * Returns the kind of stack whose services run in containers, which `docker compose up` starts. Each stack has its own
 * secrets and volumes. Docker builds missing images.
 */
export function createContainersStack(): StackKind {
  return {
    title: 'containers',
    missing: isComposeInstalled() ? undefined : 'there is no docker with compose on PATH',
    start: startContainers,
  };
}

export interface Containers extends RunningStack {
  readonly project: ComposeProject;
}

export async function startContainers(variables: Variables, servers: readonly string[]): Promise<Containers> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-containers-'));
  const ports = servers.map((url) => new URL(url).port);
  const relay = await startHostRelay(ports);
  const override = join(folder, 'override.json');
  await writeFile(override, JSON.stringify(await createSecretsAndOverride(folder, variables, relay.folder)));
  const port = await findFreePort();
  const project = createComposeProject(`quarry-${randomUUID()}`, override, port);
  const stop = async (): Promise<void> => {
    await project.run('down', '--volumes', '--timeout', '30');
    await relay.close();
    await rm(folder, { recursive: true });
  };
  const startProject = async (): Promise<void> => {
    await project.run('up', '--wait');
    if (ports.length > 0) await Promise.all(SERVICES.map((name) => startRelayInContainer(project, name, ports)));
  };
  try {
    await startProject();
  } catch (error) {
    await stop();
    throw error;
  }
  const restart = async (how: Ending): Promise<void> => {
    await project.run(how === 'killed' ? 'kill' : 'stop');
    await startProject();
  };
  return { baseUrl: `http://127.0.0.1:${port}/api`, output: startFollowingLogs(project), restart, stop, project };
}

/**
 * Generates secrets, and builds an override of docker/compose.yaml that sets `variables` and mounts the secrets and the
 * folder of the host relay's sockets.
 */
async function createSecretsAndOverride(folder: string, variables: Variables, sockets: string): Promise<object> {
  const secrets = join(folder, 'secrets');
  execFileSync('sh', [MAKE_SECRETS, secrets]);
  await rm(join(secrets, 'root-key'));
  await writeFile(join(secrets, 'root-key'), ROOT_KEY, { mode: 0o444 });
  const environment = { NODE_ENV: 'test', QUARRY_LOG_LEVEL: 'warn', ...variables };
  const service = { environment: escapeDollarSigns(environment), volumes: [`${sockets}:${SOCKETS}:ro`] };
  return {
    services: Object.fromEntries(SERVICES.map((name) => [name, service])),
    secrets: Object.fromEntries((await readdir(secrets)).map((name) => [name, { file: join(secrets, name) }])),
  };
}

/** Escapes the dollar signs in the values, because Compose would otherwise replace `$NAME` by a variable. */
function escapeDollarSigns(variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value.replaceAll('$', '$$$$')]));
}

/** Makes servers on this machine's ports available in a container, at the same ports of the container's 127.0.0.1. */
async function startRelayInContainer(
  project: ComposeProject,
  service: string,
  ports: readonly string[],
): Promise<void> {
  const child = project.start('exec', '-T', service, 'node', '-e', LISTENER, ...ports);
  const ended = once(child, 'close').then(() => {
    throw new Error(`expected the relay in the container ${service} to listen, found that it exited`);
  });
  await Promise.race([once(child.stdout ?? child, 'data'), ended]);
  ended.catch(() => undefined);
}

/** Starts to collect the logs of all services. Returns a function that returns the logs so far. */
function startFollowingLogs(project: ComposeProject): () => string {
  const child: ChildProcess = project.start('logs', '--follow', '--no-color', ...SERVICES);
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
  return () => printed;
}
