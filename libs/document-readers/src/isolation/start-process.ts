import { fork, type ChildProcess } from 'node:child_process';
import { resolveChildEntry } from '@quarry/child-process';

/** Of the memory that a process may hold, what V8 may use for its objects. */
const HEAP_SHARE = 0.75;

/** Starts a reading process. It sees no variable of the environment, writes no file and starts no program. */
export function startProcess(memoryMb: number): ChildProcess {
  const { entry, execArgv } = resolveChildEntry(import.meta.url, './reader-process.js');
  return fork(entry, [String(memoryMb)], {
    env: {},
    execArgv: [
      `--max-old-space-size=${Math.floor(memoryMb * HEAP_SHARE)}`,
      '--permission',
      '--allow-fs-read=*',
      '--allow-worker',
      '--no-warnings',
      ...execArgv,
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}
