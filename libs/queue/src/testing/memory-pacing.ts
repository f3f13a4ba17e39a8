import type { Pacing } from '../pacing.js';

/** Creates a pacing in memory. @param now the clock, in milliseconds */
export function createMemoryPacing(now: () => number): Pacing {
  const freeAt = new Map<string, number>();
  return {
    take: async (key, gapMs) => {
      const left = (freeAt.get(key) ?? 0) - now();
      if (left > 0) return left;
      freeAt.set(key, now() + gapMs);
      return 0;
    },
    hold: async (key, ms) => {
      freeAt.set(key, Math.max(freeAt.get(key) ?? 0, now() + ms));
    },
  };
}
