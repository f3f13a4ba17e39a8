import type { Writable } from 'node:stream';

/** Tells a person, a line a step, what is being done and how long it took. */
export interface Progress {
  step<T>(title: string, work: () => Promise<T>): Promise<T>;
}

export function showProgress(out: Writable): Progress {
  return {
    step: async (title, work) => {
      const begun = performance.now();
      const result = await work();
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      out.write(`  ${title.padEnd(44)} ${seconds.padStart(5)} s\n`);
      return result;
    },
  };
}
