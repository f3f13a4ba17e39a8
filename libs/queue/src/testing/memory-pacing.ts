import type { Pacing } from '../pacing.js';

/** Creates a `Pacing` that stores its state in memory, for tests. @param now returns the time in milliseconds */
export function createMemoryPacing(now: () => number): Pacing {
  const freeAt = new Map<string, number>();
  return {
    acquireTurn: async (key, gapMs) => {
      const left = (freeAt.get(key) ?? 0) - now();
      if (left > 0) return left;
      freeAt.set(key, now() + gapMs);
      return 0;
    },
    blockKey: async (key, ms) => {
      freeAt.set(key, Math.max(freeAt.get(key) ?? 0, now() + ms));
    },
  };
}
