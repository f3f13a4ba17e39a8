import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertToReferenceLength } from './convert-scores.js';
import { computeTermWeight } from './term-weight.js';

const QUERY = new Map([['heron', 1]]);

/** Returns the terms of a fragment that contains `heron` a number of times. */
function createTerms(times: number, length: number): string[] {
  return Array.from({ length }, (_, at) => (at < times ? 'heron' : `w${String(at)}`));
}

describe('convertToReferenceLength', () => {
  it('convertToReferenceLength makes the scores of one term proportional to its weights at the reference length', () => {
    const fragment = fc.record({ times: fc.integer({ min: 1, max: 20 }), length: fc.integer({ min: 20, max: 900 }) });
    const idf = fc.double({ min: 0.01, max: 9, noNaN: true });
    fc.assert(
      fc.property(fc.array(fragment, { minLength: 1, maxLength: 9 }), idf, (fragments, weight) => {
        const mean = fragments.reduce((sum, { length }) => sum + length, 0) / fragments.length;
        const found = fragments.map(({ times, length }) => ({
          score: weight * computeTermWeight(times, length, mean),
          terms: createTerms(times, length).join(' '),
        }));
        for (const [at, score] of convertToReferenceLength(found, QUERY).entries()) {
          const { times = 0, length = 0 } = fragments[at] ?? {};
          expect(score).toBeCloseTo(weight * computeTermWeight(times, length), 9);
        }
      }),
    );
  });

  it('convertToReferenceLength counts only whole terms, including repeated terms that follow each other', () => {
    const [score] = convertToReferenceLength([{ score: 1, terms: 'heron heron herons heron-like heron' }], QUERY);
    expect(score).toBeCloseTo(computeTermWeight(3, 5) / computeTermWeight(3, 5, 5));
  });

  it('convertToReferenceLength does not change the score of a fragment that contains no term of the query', () => {
    expect(convertToReferenceLength([{ score: 3, terms: 'egret' }], QUERY)).toEqual([3]);
    expect(convertToReferenceLength([], QUERY)).toEqual([]);
  });
});
