import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;
const PROBE_MS = 20;

export interface ProgramSettings {
  readonly command: string;
  readonly parameters: readonly string[];
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Returns whether the server accepts requests. A rejection means that it does not. */
  readonly isReady: () => Promise<boolean>;
}

/** A server process that can be killed and restarted with the same address and data. */
export class Program {
  #child: ChildProcess | undefined;

  constructor(private readonly settings: ProgramSettings) {}

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Starts the server, and waits until it is ready. @throws Error if it is not ready in time */
  async start(): Promise<void> {
    const { command, parameters, folder, environment, isReady } = this.settings;
    const env = { PATH: process.env['PATH'], ...environment };
    this.#child = spawn(command, [...parameters], { cwd: folder, stdio: 'ignore', env });
    const deadline = Date.now() + START_LIMIT_MS;
    while (!(await isReady().catch(() => false))) {
      if (Date.now() > deadline)
        throw new Error(`expected ${command} to be ready within ${START_LIMIT_MS / 1_000} s, found that it is not`);
      await pause(PROBE_MS);
    }
  }

  /** Kills the server with SIGKILL and restarts it. */
  async restart(): Promise<void> {
    await this.#endChild('SIGKILL');
    await this.start();
  }

  async stop(): Promise<void> {
    const killTimer = setTimeout(() => this.#child?.kill('SIGKILL'), STOP_LIMIT_MS);
    await this.#endChild('SIGTERM');
    clearTimeout(killTimer);
  }

  async #endChild(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}
