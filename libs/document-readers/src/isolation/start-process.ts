import { fork, type ChildProcess } from 'node:child_process';
import { resolveChildEntry } from '@quarry/child-process';

/** Share of the process's memory limit for V8's heap. */
const HEAP_SHARE = 0.75;

/** Starts a reader process. It has no environment variables, and can neither write files nor start programs. */
export function startReaderProcess(memoryMb: number): ChildProcess {
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
