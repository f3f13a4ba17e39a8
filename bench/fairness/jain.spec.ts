import { expect, it } from 'vitest';
import { computeJainIndex, findLowestJainIndex } from './jain.js';

it('Jain’s index is 1 for equal shares, and 1/n if one of n tenants gets everything', () => {
  expect(computeJainIndex([3, 3, 3])).toBe(1);
  expect(computeJainIndex([9, 0, 0])).toBeCloseTo(1 / 3);
  expect(computeJainIndex([0, 0])).toBe(1);
});

it('findLowestJainIndex returns Jain’s index of the least fair time window, and ignores tenants whose documents are all indexed', () => {
  const samples = [
    { atMs: 0, indexed: [0, 0, 0] },
    { atMs: 10, indexed: [5, 5, 1] },
    { atMs: 20, indexed: [12, 6, 1] },
  ];
  expect(findLowestJainIndex(samples, [100, 100, 1], 10)).toBeCloseTo(64 / (2 * 50));
  expect(findLowestJainIndex(samples, [100, 100, 1], 30)).toBeUndefined();
});
