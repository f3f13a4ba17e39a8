import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const FOLDER = fileURLToPath(new URL('../../baselines/', import.meta.url));
const MAX_OUTPUT = 512 * 1_048_576;

/**
 * Returns the path of a program in bench/baselines.
 *
 * @throws Error if the libraries of bench/baselines are not installed
 */
export function resolveBaselineProgram(name: string): string {
  if (!existsSync(`${FOLDER}node_modules`)) {
    throw new Error(
      'expected the installed libraries of bench/baselines, found none: add the benchmark to WITH_BASELINES in scripts/bench.mjs, which installs them',
    );
  }
  return `${FOLDER}${name}`;
}

/** Runs a program in bench/baselines. Returns the parsed JSON that it prints; undefined if it prints nothing. */
export async function runBaseline(program: string, args: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [resolveBaselineProgram(program), ...args], {
    maxBuffer: MAX_OUTPUT,
  });
  return stdout === '' ? undefined : (JSON.parse(stdout) as unknown);
}
