import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeMeanInterval, computePairedPValue, computePercentileInterval, isSignificant } from './bootstrap.js';

const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 });

describe('a bootstrap interval', () => {
  it('a bootstrap interval has the mean as its value, has bounds between the smallest and the largest value, and is reproducible', () => {
    fc.assert(
      fc.property(values, (list) => {
        const { value, low, high } = computeMeanInterval(list);
        expect(low).toBeGreaterThanOrEqual(Math.min(...list) - 1e-9);
        expect(high).toBeLessThanOrEqual(Math.max(...list) + 1e-9);
        expect(low).toBeLessThanOrEqual(high);
        expect(value).toBeCloseTo(list.reduce((sum, each) => sum + each, 0) / list.length, 9);
        expect(computeMeanInterval(list)).toEqual({ value, low, high });
      }),
      { numRuns: 50 },
    );
  });

  it('the bounds of a percentile interval are values of the list, and do not depend on the order of the list', () => {
    fc.assert(
      fc.property(values, fc.constantFrom(0.5, 0.95), (list, share) => {
        const found = computePercentileInterval(list, share);
        for (const end of [found.value, found.low, found.high]) expect(list).toContain(end);
        expect(computePercentileInterval(list.toReversed(), share)).toEqual(found);
      }),
      { numRuns: 50 },
    );
  });

  it('a bootstrap interval has the width that the central limit theorem predicts', () => {
    const list = Array.from({ length: 400 }, (_, at) => at % 2);
    const { value, low, high } = computeMeanInterval(list);
    expect(value).toBe(0.5);
    // The standard error is 0.025. The interval extends by 1.96 standard errors to each side of the mean.
    expect(high - low).toBeGreaterThan(0.08);
    expect(high - low).toBeLessThan(0.12);
  });

  it('a bootstrap interval has no width if all values are equal', () => {
    expect(computeMeanInterval([1, 1, 1])).toEqual({ value: 1, low: 1, high: 1 });
    expect(computePercentileInterval([7, 7], 0.95)).toEqual({ value: 7, low: 7, high: 7 });
  });

  it('computePercentileInterval computes the percentile by the nearest-rank method', () => {
    const list = Array.from({ length: 100 }, (_, at) => 100 - at);
    expect(computePercentileInterval(list, 0.5).value).toBe(50);
    expect(computePercentileInterval(list, 0.95).value).toBe(95);
  });
});

describe('a paired randomization test', () => {
  it('the p-value of a paired test does not change if all differences are negated, lies in (0, 1], and is 1 if all differences are 0', () => {
    const differences = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 40 });
    fc.assert(
      fc.property(differences, (list) => {
        const pValue = computePairedPValue(list);
        expect(pValue).toBeGreaterThan(0);
        expect(pValue).toBeLessThanOrEqual(1);
        expect(computePairedPValue(list.map((difference) => -difference))).toBe(pValue);
      }),
      { numRuns: 30 },
    );
    expect(computePairedPValue([0, 0, 0])).toBe(1);
    expect(computePairedPValue([])).toBe(1);
  });

  it('the p-value of a paired test of few differences is close to the exact p-value', () => {
    // Only 2 of the 2^5 possible assignments of signs give a mean that is at least as far from 0 as the observed mean.
    expect(computePairedPValue([1, 1, 1, 1, 1, 0, 0])).toBeCloseTo(2 / 32, 1);
    expect(isSignificant(computePairedPValue([1, 1, 1, 1, 1]))).toBe(false);
    expect(isSignificant(computePairedPValue(Array.from({ length: 10 }, () => 0.2)))).toBe(true);
  });

  it('the paired test finds a significant difference in less than 15 % of random lists of differences', () => {
    const sizes = Array.from({ length: 200 }, (_, trial) => trial);
    const significant = sizes.filter((trial) => {
      // Pseudo-random differences from -0.5 to 0.5, computed from squares modulo 1,009.
      const list = Array.from({ length: 60 }, (_, at) => ((trial * 7_919 + at * 104_729) ** 2 % 1_009) / 1_009 - 0.5);
      return isSignificant(computePairedPValue(list));
    });
    expect(significant.length).toBeLessThan(30);
  });
});
