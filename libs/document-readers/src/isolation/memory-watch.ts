const EVERY_MS = 50;

/** Written to standard error before the process kills itself over its memory: whoever else kills it does not write that. */
const OVER_LIMIT = 'quarry: over the memory limit';

/**
 * Returns the program of a thread that kills its own process when it holds more memory than it may, and when its parent is gone.
 * WebAssembly and buffers are outside the heap that V8 limits; and a thread sees them grow while the main thread is busy.
 */
export function memoryWatch(limitMb: number): string {
  return `
    const { writeSync } = require('node:fs');
    const parent = process.ppid;
    setInterval(() => {
      const isOver = process.memoryUsage.rss() > ${limitMb} * 1024 * 1024;
      if (isOver) writeSync(2, '${OVER_LIMIT}\\n');
      if (isOver || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    }, ${EVERY_MS});
  `;
}

/**
 * Returns whether a process ended itself over its memory: by its watch, or by V8, which aborts when its heap is full.
 *
 * @param errors the end of its standard error
 */
export function isOverMemoryLimit(signal: NodeJS.Signals | null, errors: string): boolean {
  return errors.includes(OVER_LIMIT) || (signal === 'SIGABRT' && errors.includes('heap'));
}
