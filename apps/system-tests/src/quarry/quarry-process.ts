import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { getAppEntry } from './app-entry.js';
import { hasExited, waitUntilReady } from './wait-until-ready.js';

/** Path of the folder in which `npm start` caches compiled code. */
const CODE_CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/quarry-code', import.meta.url));
const START_TIMEOUT_MS = 90_000;

export const ROOT_KEY = `qk_${'system-tests'.repeat(4)}`;
export const METRICS_TOKEN = 'metrics-token-of-the-system-tests';

/** A standalone Quarry in a process of its own, as `npm start` runs it. */
export interface QuarryProcess {
  /** Base URL of the API, such as `http://127.0.0.1:43125/api`. */
  readonly baseUrl: string;
  readonly pid: number;
  /** Returns whether the process has exited for any reason. */
  hasEnded(): boolean;
  /** Returns the exit code of the process, or the signal that ended it; undefined while the process runs. */
  endedWith(): number | NodeJS.Signals | undefined;
  /** Returns the output of the process so far. */
  output(): string;
  /** Resolves when the process has exited: with its exit code, or with null if a signal ended it. */
  exited(): Promise<number | null>;
  /**
   * Stops the process with the given signals in quick succession. Default: SIGINT, as after Ctrl-C.
   *
   * @returns its exit code
   */
  stop(...signals: readonly NodeJS.Signals[]): Promise<number | null>;
  /** Kills the process with SIGKILL. */
  kill(): Promise<void>;
}

/**
 * Starts a standalone Quarry, and waits until it is ready.
 *
 * @throws Error with its output if it exits or is not ready in time
 */
export async function startQuarry(
  dataDirectory: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<QuarryProcess> {
  const { child, output } = spawnQuarry(dataDirectory, variables);
  const address = await waitUntilReady(child, () => output.text, START_TIMEOUT_MS);
  return {
    baseUrl: `${address}/api`,
    pid: child.pid ?? 0,
    output: () => output.text,
    hasEnded: () => hasExited(child),
    endedWith: () => child.exitCode ?? child.signalCode ?? undefined,
    exited: () => waitForExit(child),
    stop: async (...signals) => sendSignalsAndWaitForExit(child, signals.length === 0 ? ['SIGINT'] : signals),
    kill: async () => {
      await sendSignalsAndWaitForExit(child, ['SIGKILL']);
    },
  };
}

/** Starts a Quarry whose start is expected to fail, and waits until it exits. @returns its exit code and its output */
export async function startQuarryExpectingExit(
  dataDirectory: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { child, output } = spawnQuarry(dataDirectory, variables);
  await once(child, 'close');
  return { code: child.exitCode, output: output.text };
}

interface Output {
  text: string;
}

function spawnQuarry(
  dataDirectory: string,
  variables: Readonly<Record<string, string>>,
): { child: ChildProcess; output: Output } {
  const child = spawn(process.execPath, [getAppEntry('standalone')], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: CODE_CACHE,
      QUARRY_PORT: '0',
      QUARRY_DATA_DIR: dataDirectory,
      QUARRY_ROOT_KEY: ROOT_KEY,
      QUARRY_SAMPLE: 'false',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output.text += chunk));
  }
  return { child, output };
}

async function sendSignalsAndWaitForExit(
  child: ChildProcess,
  signals: readonly NodeJS.Signals[],
): Promise<number | null> {
  const exited = waitForExit(child);
  if (!hasExited(child)) for (const signal of signals) child.kill(signal);
  return exited;
}

async function waitForExit(child: ChildProcess): Promise<number | null> {
  if (!hasExited(child)) await once(child, 'close');
  return child.exitCode;
}
