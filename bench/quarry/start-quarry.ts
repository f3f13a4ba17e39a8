import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClient, type QuarryClient } from '@quarry/client';
import { getAppEntry, waitUntilReady } from '@quarry/system-tests';

const START_TIMEOUT_MS = 120_000;

const ROOT_KEY = `qk_${'bench-'.repeat(8)}`;

/** A running Quarry. It has no rate limit per API key, and does not inherit the environment of this process. */
export interface RunningQuarry {
  /** Base URL of the API, such as `http://127.0.0.1:43125/api`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly client: QuarryClient;
  /**
   * Ids of the processes that take part in a search: that of a standalone Quarry, or those of the gateway and the query
   * service.
   */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

/** A standalone Quarry in its own process, as `npm start` runs it. */
export interface QuarryUnderTest extends RunningQuarry {
  readonly pid: number;
  /** Returns the log lines with the level `error` or `fatal`. */
  listErrorLines(): readonly string[];
}

export interface StartOptions {
  /** Data folder. A later start on the same folder finds the data. */
  readonly folder: string;
  /** Environment variables in addition to the default ones. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Node options, such as `--cpu-prof`. */
  readonly nodeOptions?: readonly string[];
  /** Receives each line that Quarry prints. */
  readonly onLine?: (line: string) => void;
}

/** Starts Quarry. @throws Error with its output if it exits or is not ready in time */
export async function startQuarry({
  folder,
  variables = {},
  nodeOptions = [],
  onLine = () => undefined,
}: StartOptions): Promise<QuarryUnderTest> {
  const child = spawn(process.execPath, [...nodeOptions, getAppEntry('standalone')], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      // scripts/toolchain.mjs sets these variables for `npm start`. The first three affect how much memory Quarry uses.
      MALLOC_ARENA_MAX: process.env['MALLOC_ARENA_MAX'] ?? '2',
      MALLOC_MMAP_THRESHOLD_: process.env['MALLOC_MMAP_THRESHOLD_'],
      MALLOC_TRIM_THRESHOLD_: process.env['MALLOC_TRIM_THRESHOLD_'],
      LANCEDB_LOG: process.env['LANCEDB_LOG'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      NODE_OPTIONS: process.env['NODE_OPTIONS'],
      ...OWN_VARIABLES,
      QUARRY_DATA_DIR: folder,
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = collectPrintedOutput(child, onLine);
  const url = await waitUntilReady(child, () => printed.text, START_TIMEOUT_MS);
  const baseUrl = `${url}/api`;
  return {
    baseUrl,
    apiKey: ROOT_KEY,
    client: createClient({ baseUrl, apiKey: ROOT_KEY }),
    pid: child.pid ?? 0,
    pids: [child.pid ?? 0],
    listErrorLines: () => printed.errorLines,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGINT');
      await closed;
    },
  };
}

/** Runs a function with a new temporary folder, and removes the folder afterwards. */
export async function runWithTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-'));
  // PostgreSQL runs as another user, which needs access to the folder.
  await chmod(folder, 0o711);
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const OWN_VARIABLES = { QUARRY_PORT: '0', QUARRY_ROOT_KEY: ROOT_KEY, QUARRY_SAMPLE: 'false', QUARRY_RATE_LIMIT: '0' };

/** Quarry's printed text up to a maximum length, and all printed log lines that report an error. */
interface PrintedOutput {
  text: string;
  readonly errorLines: string[];
}

const MAX_PRINTED_LENGTH = 1_000_000;
/** Matches a line of the JSON log with the level `error` or `fatal`. */
const ERROR_LINE = /"level":"(error|fatal)"/;

function collectPrintedOutput(child: ChildProcess, onLine: (line: string) => void): PrintedOutput {
  const printed: PrintedOutput = { text: '', errorLines: [] };
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      onLine(line);
      if (printed.text.length < MAX_PRINTED_LENGTH) printed.text += `${line}\n`;
      if (ERROR_LINE.test(line)) printed.errorLines.push(line);
    });
  }
  return printed;
}
