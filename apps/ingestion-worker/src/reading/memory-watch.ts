const EVERY_MS = 50;

/**
 * The program of a thread that kills its own process when it holds more memory than it may, and when its parent is gone.
 * WebAssembly and buffers are outside the heap that V8 limits; and a thread sees them grow while the main thread is busy.
 */
export function memoryWatch(limitMb: number): string {
  return `
    const parent = process.ppid;
    setInterval(() => {
      const tooMuch = process.memoryUsage.rss() > ${limitMb} * 1024 * 1024;
      if (tooMuch || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    }, ${EVERY_MS});
  `;
}
