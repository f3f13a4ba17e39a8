import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeByReferenceLength } from './convert-scores.js';
import type { TermOccurrences } from './term-counter.js';
import { computeTermWeight } from './term-weight.js';

const QUERY = new Map([['heron', 1]]);

/** Describes the terms of a fragment: `times` of its `terms` terms are `heron`. */
function createOccurrences(times: number, terms: number): TermOccurrences {
  return { counts: new Map(times === 0 ? [] : [['heron', times]]), terms };
}

describe('normalizeByReferenceLength', () => {
  it('for a query of one term, normalizeByReferenceLength returns the scores that result from a normalization by the reference length', () => {
    const fragment = fc.record({ times: fc.integer({ min: 1, max: 20 }), length: fc.integer({ min: 20, max: 900 }) });
    const idf = fc.double({ min: 0.01, max: 9, noNaN: true });
    fc.assert(
      fc.property(fc.array(fragment, { minLength: 1, maxLength: 9 }), idf, (fragments, weight) => {
        const mean = fragments.reduce((sum, { length }) => sum + length, 0) / fragments.length;
        const found = fragments.map(({ times, length }) => ({
          score: weight * computeTermWeight(times, length, mean),
          occurrences: createOccurrences(times, length),
        }));
        for (const [at, score] of normalizeByReferenceLength(found, QUERY).entries()) {
          const { times = 0, length = 0 } = fragments[at] ?? {};
          expect(score).toBeCloseTo(weight * computeTermWeight(times, length), 9);
        }
      }),
    );
  });

  it('normalizeByReferenceLength does not change the score of a fragment that contains no term of the query', () => {
    expect(normalizeByReferenceLength([{ score: 3, occurrences: createOccurrences(0, 1) }], QUERY)).toEqual([3]);
    expect(normalizeByReferenceLength([], QUERY)).toEqual([]);
  });
});
