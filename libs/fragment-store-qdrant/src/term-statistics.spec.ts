import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TermStatistics } from './term-statistics.js';

const someIndex = fc.nat({ max: 2 ** 32 - 1 });

describe('TermStatistics', () => {
  it('TermStatistics computes the inverse document frequency of each term', () => {
    fc.assert(
      fc.property(
        fc.dictionary(someIndex.map(String), fc.integer({ min: 1, max: 500 })),
        someIndex,
        (counts, other) => {
          const frequencies = new Map(Object.entries(counts).map(([index, count]) => [Number(index), count]));
          const statistics = new TermStatistics({ fragments: 9_000, sampled: 500, frequencies });
          for (const index of [...frequencies.keys(), other]) {
            const frequency = frequencies.get(index) ?? 0;
            expect(statistics.computeIdf(index)).toBe(Math.log(1 + (500 - frequency + 0.5) / (frequency + 0.5)));
          }
          expect(statistics.byteLength).toBe(6 * frequencies.size);
        },
      ),
    );
  });

  it('computeIdf returns a larger number for a rarer term, and a number above 0 for a term that all fragments contain', () => {
    const frequencies = new Map([
      [1, 1],
      [2, 50],
      [3, 100],
    ]);
    const statistics = new TermStatistics({ fragments: 100, sampled: 100, frequencies });
    const weights = [0, 1, 2, 3].map((index) => statistics.computeIdf(index));
    expect(weights).toEqual(weights.toSorted((one, other) => other - one));
    expect(weights.at(-1)).toBeGreaterThan(0);
  });
});
