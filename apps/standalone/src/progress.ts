import type { Writable } from 'node:stream';

/** Runs the steps of Quarry's start, and prints the title and duration of each step after its end. */
export interface Progress {
  step<T>(title: string, work: () => Promise<T>): Promise<T>;
}

export function createProgressReport(out: Writable): Progress {
  return {
    step: async (title, work) => {
      const startedAt = performance.now();
      const result = await work();
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      out.write(`  ${title.padEnd(44)} ${seconds.padStart(5)} s\n`);
      return result;
    },
  };
}
