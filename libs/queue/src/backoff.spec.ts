import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { waitAfter } from './backoff.js';

describe('waitAfter', () => {
  it('doubles with each attempt up to the longest wait', () => {
    const backoff = { delayMs: 100, maxDelayMs: 1_000, jitter: 0 };
    expect([1, 2, 3, 4, 5, 1_000, 100_000].map((attempt) => waitAfter(backoff, attempt, 0.3))).toEqual([
      100, 200, 400, 800, 1_000, 1_000, 1_000,
    ]);
  });

  it('stays within the jitter, and uses all of it', () => {
    const backoff = { delayMs: 100, maxDelayMs: 1_000, jitter: 0.5 };
    expect([0, 0.5, 0.999].map((chance) => waitAfter(backoff, 2, chance))).toEqual([100, 200, 300]);
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), chance, (attempt, where) => {
        const wait = waitAfter(backoff, attempt, where);
        expect(wait).toBeGreaterThanOrEqual(50);
        expect(wait).toBeLessThanOrEqual(1_500);
      }),
    );
  });
});
