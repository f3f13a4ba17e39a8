import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasExited } from '../quarry/wait-until-ready.js';
import { ROOT } from './read-documents.js';

const START_DEADLINE_MS = 110_000;

/** A Quarry that was started by `npm start`. */
export interface StartedQuarry {
  /** Base URL of the API, such as `http://127.0.0.1:43125/api`. */
  readonly api: string;
  /** The API key that `npm start` has printed. */
  readonly key: string;
  /** The command that `npm start` has printed, which asks the sample agent a question. */
  readonly askCommand: string;
  output(): string;
  /**
   * Kills the process of Quarry. The process of `npm start` then exits.
   *
   * @returns the exit code of `npm start`
   */
  killQuarry(): Promise<number | null>;
  stop(): Promise<void>;
}

/**
 * Environment variables that select a free port, and allow Quarry to call web sites, listings and webhooks at loopback
 * addresses.
 */
const VARIABLES = {
  QUARRY_PORT: '0',
  QUARRY_CRAWLER_ALLOW_LOOPBACK: 'true',
  QUARRY_CATALOG_ALLOW_LOOPBACK: 'true',
  QUARRY_WEBHOOKS_ALLOW_LOOPBACK: 'true',
};

/**
 * Runs the script of `npm start` on a data folder until Quarry is ready.
 *
 * @throws Error with the output of the script if the script exits, or Quarry is not ready in time
 */
export async function startQuarryByScript(dataDirectory: string): Promise<StartedQuarry> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [join(ROOT, 'scripts', 'start.mjs')], {
    env: { PATH, HOME, ...VARIABLES, QUARRY_DATA_DIR: dataDirectory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  }
  const late = AbortSignal.timeout(START_DEADLINE_MS);
  while (!output.includes('Press Ctrl-C to stop Quarry.')) {
    if (hasExited(child) || late.aborted) {
      child.kill('SIGTERM');
      throw new Error(`expected npm start to report that Quarry is ready, found this output:\n${output}`);
    }
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit'), once(late, 'abort')]);
  }
  return {
    api: /http:\/\/[\w.]+:\d+\/api/.exec(output)?.[0] ?? '',
    key: /qk_[\w-]{43}/.exec(output)?.[0] ?? '',
    askCommand: /^ {2}(node .*)$/m.exec(output)?.[1] ?? '',
    output: () => output,
    async killQuarry() {
      const closed = once(child, 'close');
      process.kill(await readQuarryPid(dataDirectory), 'SIGKILL');
      await closed;
      return child.exitCode;
    },
    stop: () => stopChildProcess(child),
  };
}

/**
 * Reads the process id of Quarry, which differs from the id of `npm start`, from the file in which Quarry stores it.
 */
async function readQuarryPid(dataDirectory: string): Promise<number> {
  const text = await readFile(join(dataDirectory, 'instance.json'), 'utf8');
  return (JSON.parse(text) as { readonly pid: number }).pid; // apps/standalone writes this form
}

async function stopChildProcess(child: ChildProcess): Promise<void> {
  if (hasExited(child)) return;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
}
