import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient, type QuarryClient } from '@quarry/client';

const MAIN = fileURLToPath(new URL('../../../apps/standalone/dist/main.js', import.meta.url));
const START_DEADLINE_MS = 120_000;
const POLL_MS = 50;

const ROOT_KEY = `qk_${'bench-'.repeat(8)}`;

/** A one-machine Quarry in a process of its own, as `npm start` runs it, without the limit of requests per key and with nothing of this process's environment. */
export interface QuarryUnderTest {
  /** Such as `http://127.0.0.1:43125/api`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly client: QuarryClient;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface StartOptions {
  /** Holds all data; a second start on the same folder finds what the first left. */
  readonly folder: string;
  /** Beside those that every start sets. */
  readonly variables?: Readonly<Record<string, string>>;
  /** For Node, such as `--cpu-prof`. */
  readonly nodeOptions?: readonly string[];
}

/** @throws with what it printed, when it is not ready in time */
export async function startQuarry({
  folder,
  variables = {},
  nodeOptions = [],
}: StartOptions): Promise<QuarryUnderTest> {
  const child = spawn(process.execPath, [...nodeOptions, MAIN], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      // What scripts/toolchain.mjs sets for every start.
      MALLOC_ARENA_MAX: process.env['MALLOC_ARENA_MAX'],
      LANCEDB_LOG: process.env['LANCEDB_LOG'],
      ...OWN_VARIABLES,
      QUARRY_DATA_DIR: folder,
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = printedBy(child);
  const url = await readyAddress(child, printed);
  const baseUrl = `${url}/api`;
  return {
    baseUrl,
    apiKey: ROOT_KEY,
    client: createClient({ baseUrl, apiKey: ROOT_KEY }),
    pid: child.pid ?? 0,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGINT');
      await closed;
    },
  };
}

/** Gives `use` a temporary folder, which is removed afterwards. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-'));
  // PostgreSQL's account could not reach it otherwise, and its database would be put elsewhere and stay there.
  await chmod(folder, 0o711);
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const OWN_VARIABLES = { QUARRY_PORT: '0', QUARRY_ROOT_KEY: ROOT_KEY, QUARRY_SAMPLE: 'false', QUARRY_RATE_LIMIT: '0' };

interface Printed {
  text: string;
}

function printedBy(child: ChildProcess): Printed {
  const printed: Printed = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => (printed.text += chunk));
  }
  return printed;
}

async function readyAddress(child: ChildProcess, printed: Printed): Promise<string> {
  const deadline = Date.now() + START_DEADLINE_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const url = /http:\/\/127\.0\.0\.1:\d+(?=\/api)/.exec(printed.text)?.[0];
    const response = url === undefined ? undefined : await fetch(`${url}/health/ready`).catch(() => undefined);
    if (url !== undefined && response?.ok === true) return url;
    await wait(POLL_MS);
  }
  child.kill('SIGKILL');
  throw new Error(`Quarry was not ready in ${START_DEADLINE_MS} ms. It printed:\n${printed.text}`);
}
