import { describe, expect, it } from 'vitest';
import { enumeratePaths, samplePaths, type Choose } from './enumerate-paths.js';

/**
 * Simulates three concurrent actors: two with two steps each, and one with a single step. Returns the order of the
 * steps.
 */
function simulateActors(choose: Choose): string {
  const left = [2, 2, 1];
  let path = '';
  for (;;) {
    const options = [...left.keys()].filter((actor) => (left[actor] ?? 0) > 0);
    if (options.length === 0) return path;
    const actor = choose(options);
    left[actor] = (left[actor] ?? 0) - 1;
    path += String(actor);
  }
}

describe('enumeratePaths', () => {
  it('enumeratePaths yields each possible order of the steps of concurrent actors exactly once', () => {
    const paths = [...enumeratePaths()].map(() => '');
    expect(paths).toEqual(['']);
    const walked: string[] = [];
    for (const choose of enumeratePaths()) walked.push(simulateActors(choose));
    // The number of orders is 5! / (2! · 2! · 1!).
    expect(walked).toHaveLength(30);
    expect(new Set(walked).size).toBe(30);
  });
});

describe('samplePaths', () => {
  it('samplePaths yields the same orders of steps for the same seed, and different orders for another seed', () => {
    const walkPaths = (seed: number): string[] => [...samplePaths(seed, 20)].map(simulateActors);
    expect(walkPaths(1)).toEqual(walkPaths(1));
    expect(walkPaths(1)).not.toEqual(walkPaths(2));
    expect(new Set(walkPaths(1)).size).toBeGreaterThan(5);
  });
});
