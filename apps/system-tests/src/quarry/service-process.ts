import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { getAppEntry } from './app-entry.js';
import type { Variables } from './stack.js';
import { hasExited } from './wait-until-ready.js';

const START_DEADLINE_MS = 90_000;
const PROBE_MS = 50;
/**
 * Grace period of a shutdown in milliseconds, as in docker/compose.yaml. A process that still runs at the end of this
 * period is killed.
 */
const GRACE_MS = 35_000;

/** Controls one replica of a service. Each start of the replica is a new process. */
export interface ServiceProcess {
  readonly port: number;
  /** Id of the latest process of the replica. */
  readonly pid: number;
  /** Returns whether the latest process of the replica has exited for any reason. */
  hasEnded(): boolean;
  /** Returns the output of all processes of the replica so far. */
  output(): string;
  /**
   * Stops the replica as Docker and Kubernetes do: with SIGTERM, and after the grace period with SIGKILL.
   *
   * @returns its exit code; null when it was killed after the grace period
   */
  stop(): Promise<number | null>;
  /** Kills the replica with SIGKILL, as a machine failure would. */
  kill(): Promise<void>;
  /** Starts the replica again at the same port. @throws Error with its output if it exits or is not ready in time */
  start(): Promise<void>;
}

/** Starts a replica of a service, and waits until it is ready. @param app name of the service's folder in `apps` */
export async function startService(app: string, port: number, variables: Variables): Promise<ServiceProcess> {
  const service = new Replica(app, port, variables);
  await service.start();
  return service;
}

class Replica implements ServiceProcess {
  #child: ChildProcess | undefined;
  #output = '';

  constructor(
    private readonly app: string,
    readonly port: number,
    private readonly variables: Variables,
  ) {}

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  hasEnded(): boolean {
    return this.#child === undefined || hasExited(this.#child);
  }

  output(): string {
    return this.#output;
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [getAppEntry(this.app)], {
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        QUARRY_HOST: '127.0.0.1',
        QUARRY_PORT: String(this.port),
        ...this.variables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (this.#output += chunk));
    }
    const deadline = Date.now() + START_DEADLINE_MS;
    while (!(await this.#isReady())) {
      if (hasExited(child) || Date.now() > deadline) {
        child.kill('SIGKILL');
        throw new Error(`expected ${this.app} to be ready in time, found that it exited or is late:\n${this.#output}`);
      }
      await pause(PROBE_MS);
    }
  }

  async stop(): Promise<number | null> {
    const child = this.#child;
    if (child === undefined) return null;
    if (!hasExited(child)) {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      const killTimer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
      await closed;
      clearTimeout(killTimer);
    }
    return child.exitCode;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || hasExited(child)) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }

  async #isReady(): Promise<boolean> {
    const response = await fetch(`http://127.0.0.1:${this.port}/health/ready`).catch(() => undefined);
    await response?.body?.cancel();
    return response?.ok === true;
  }
}
