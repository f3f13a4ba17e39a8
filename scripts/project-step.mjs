// Runs commands in the folder of the repository. It imports only modules of Node and of this folder, as toolchain.mjs does.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runStep } from './run-step.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const modules = join(root, 'node_modules');

/** Default environment variables for native libraries. docker/Dockerfile sets the same values. */
const NATIVE = {
  // glibc keeps freed memory in arenas. With the default number of arenas, the threads of LanceDB double the memory of
  // Quarry.
  MALLOC_ARENA_MAX: '2',
  // With these values, glibc returns large freed buffers to the system instead of keeping them in its heap (decision
  // record 138).
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '8388608',
  // These filters hide harmless warnings that LanceDB logs for each partition that it splits.
  LANCEDB_LOG: 'warn,lance::index::vector::builder=error,lance_index::vector::kmeans=error',
};

/** Returns the environment for a child process, with the Node of this project first on the PATH. */
export function createChildEnvironment(extra = {}) {
  const paths = [join(modules, '.bin'), process.env.PATH];
  return {
    ...NATIVE,
    ...process.env,
    NX_DAEMON: 'false',
    NX_TUI: 'false',
    ...extra,
    PATH: paths.join(process.platform === 'win32' ? ';' : ':'),
  };
}

/**
 * Returns the environment for a process of Quarry. It enables a cache in which Node stores compiled code, so that later
 * starts are faster.
 */
export function createServiceEnvironment(extra = {}) {
  const { NODE_COMPILE_CACHE = join(modules, '.cache', 'quarry-code') } = process.env;
  return createChildEnvironment({ NODE_COMPILE_CACHE, NODE_OPTIONS: buildNodeOptions(), ...extra });
}

/**
 * Limits the semi-spaces of V8's young generation to 16 MB. V8 would let them grow to 64 MB, and keep most of that
 * memory when it is unused. docker/Dockerfile sets the same value.
 */
const NODE_OPTIONS = '--max-semi-space-size=16';

/**
 * Returns `NODE_OPTIONS` for a process of Quarry. Options in the environment of this process come last, so that they
 * override the defaults.
 */
export function buildNodeOptions() {
  return `${NODE_OPTIONS} ${process.env.NODE_OPTIONS ?? ''}`.trim();
}

/**
 * Runs a command, and prints the title and the duration of this step. If the command fails, prints its output and
 * exits.
 */
export async function runStepOrExit(title, command) {
  const { code, output } = await runStepWithProgress(title, command);
  if (code === 0) return;
  console.error(`\n${title} failed:\n${output}`);
  process.exit(1);
}

/** Runs a command in the folder of the repository as a step of this script. */
export function runStepWithProgress(title, command) {
  return runStep(title, command, { cwd: root, env: createChildEnvironment() });
}
