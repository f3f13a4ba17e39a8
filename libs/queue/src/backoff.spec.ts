import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeBackoff } from './backoff.js';

describe('the backoff', () => {
  it('the backoff doubles with each attempt up to its maximum', () => {
    const backoff = { delayMs: 100, maxDelayMs: 1_000, jitter: 0 };
    expect([1, 2, 3, 4, 5, 1_000, 100_000].map((attempt) => computeBackoff(backoff, attempt, 0.3))).toEqual([
      100, 200, 400, 800, 1_000, 1_000, 1_000,
    ]);
  });

  it('the backoff varies over the full range of the jitter, and never leaves this range', () => {
    const backoff = { delayMs: 100, maxDelayMs: 1_000, jitter: 0.5 };
    expect([0, 0.5, 0.999].map((chance) => computeBackoff(backoff, 2, chance))).toEqual([100, 200, 300]);
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), chance, (attempt, where) => {
        const wait = computeBackoff(backoff, attempt, where);
        expect(wait).toBeGreaterThanOrEqual(50);
        expect(wait).toBeLessThanOrEqual(1_500);
      }),
    );
  });
});
