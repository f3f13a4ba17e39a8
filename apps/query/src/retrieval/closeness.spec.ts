import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDenseCloseness, createLexicalCloseness } from './closeness.js';

describe('the closeness of the best fragment', () => {
  it('grows with the BM25 score, from 0 to less than 1', () => {
    const positive = fc.double({ min: 0, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(fc.string(), positive, positive, (query, one, other) => {
        const closeness = createLexicalCloseness(query);
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        expect(closeness(low)).toBeLessThanOrEqual(closeness(high));
        expect(closeness(low)).toBeGreaterThanOrEqual(0);
        expect(closeness(high)).toBeLessThan(1);
      }),
    );
  });

  it('equals 0.5 for a BM25 score of 2.5 per different query word', () => {
    expect(createLexicalCloseness('warranty')(2.5)).toBe(0.5);
    expect(createLexicalCloseness('What is the warranty of the cameras?')(5)).toBe(0.5);
  });

  it('equals the cosine similarity in dense search, or 0 if that is negative', () => {
    expect([0.4, -0.4, 1.000_001].map(toDenseCloseness)).toEqual([0.4, 0, 1]);
  });
});
