import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TermCounter } from './term-counter.js';

/** Generates terms of few different letters and lengths, so that different terms often have equal fingerprints. */
const term = fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '🐦'), minLength: 1, maxLength: 4 });

describe('TermCounter', () => {
  it('countOccurrences returns the number of occurrences of each query term, and the number of all terms of the text', () => {
    fc.assert(
      fc.property(fc.array(term, { minLength: 1 }), fc.uniqueArray(term), (terms, query) => {
        const expected = query.flatMap((one) => {
          const count = terms.filter((other) => other === one).length;
          return count === 0 ? [] : [[one, count] as const];
        });
        const counter = new TermCounter(new Map(query.map((one) => [one, 1])));
        const { counts, terms: total } = counter.countOccurrences(terms.join(' '));
        expect(new Map(counts)).toEqual(new Map(expected));
        expect(total).toBe(terms.length);
      }),
    );
  });

  it('countOccurrences counts only whole terms, and counts every one of several equal terms in a row', () => {
    const { counts, terms } = new TermCounter(new Map([['heron', 1]])).countOccurrences(
      'heron heron herons heron-like heron',
    );
    expect([...counts]).toEqual([['heron', 3]]);
    expect(terms).toBe(5);
  });
});
