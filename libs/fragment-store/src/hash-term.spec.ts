import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashTerm } from './hash-term.js';

describe('hashTerm', () => {
  it('hashTerm returns an unsigned 32-bit number, always the same for the same term', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (term) => {
        const index = hashTerm(term);
        expect(Number.isInteger(index) && index >= 0 && index < 2 ** 32).toBe(true);
        expect(hashTerm(term)).toBe(index);
      }),
    );
  });

  it('hashTerm rarely returns the same hash for two terms', () => {
    const terms = Array.from({ length: 100_000 }, (_, at) => [
      `w${String(at)}`,
      `${String(at)}.${String(at % 7)}`,
    ]).flat();
    // Among 200,000 random numbers of 32 bits, about 5 pairs are equal.
    expect(terms.length - new Set(terms.map(hashTerm)).size).toBeLessThan(20);
  });
});
