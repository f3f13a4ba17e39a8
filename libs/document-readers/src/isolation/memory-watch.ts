const CHECK_INTERVAL_MS = 50;

/**
 * Line that a process writes to standard error before it kills itself because of the memory limit. Its parent process
 * looks for this line.
 */
const OVER_LIMIT = 'quarry: over the memory limit';

/**
 * Builds the program of a thread that kills its process when the process exceeds the memory limit or the parent process
 * has exited. The thread is needed, because V8's heap limit does not include WebAssembly and buffers. A thread can
 * measure the memory while the main thread is busy.
 */
export function buildMemoryWatchScript(limitMb: number): string {
  return `
    const { writeSync } = require('node:fs');
    const parent = process.ppid;
    setInterval(() => {
      const isOver = process.memoryUsage.rss() > ${limitMb} * 1024 * 1024;
      if (isOver) writeSync(2, '${OVER_LIMIT}\\n');
      if (isOver || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    }, ${CHECK_INTERVAL_MS});
  `;
}

/**
 * Returns whether a process ended because of its memory use: its watch thread killed it, or V8 aborted it because the
 * heap was full.
 *
 * @param errorOutput the end of the standard error of the process
 */
export function isMemoryExit(signal: NodeJS.Signals | null, errorOutput: string): boolean {
  return errorOutput.includes(OVER_LIMIT) || (signal === 'SIGABRT' && errorOutput.includes('heap'));
}
