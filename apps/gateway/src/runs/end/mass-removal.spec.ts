import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeMissingDocuments, isMassRemoval } from './mass-removal.js';

const isMass = (missing: number, known: number, added = 0): boolean =>
  isMassRemoval({ missing, known, remaining: known - missing + added });

describe('the limit of missing documents', () => {
  it('a run may miss up to 30 % of the known documents', () => {
    expect(isMass(299, 1_000)).toBe(false);
    expect(isMass(300, 1_000)).toBe(false);
    expect(isMass(301, 1_000)).toBe(true);
    expect(isMass(0, 0)).toBe(false);
  });

  it('a run may miss exactly 30 % of any number of documents, and no document more', () => {
    const tens = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(tens, (n) => {
        expect([isMass(3 * n, 10 * n), isMass(3 * n + 1, 10 * n)]).toEqual([false, true]);
      }),
    );
  });

  it('a run may miss one of few documents, but not the only one', () => {
    expect(isMass(1, 2)).toBe(false);
    expect(isMass(2, 3)).toBe(true);
    expect(isMass(1, 1)).toBe(true);
  });

  it('a run may miss the only document if it found a new one, but it may not miss all of several documents', () => {
    expect(isMass(1, 1, 1)).toBe(false);
    expect(isMass(50, 50, 500)).toBe(true);
  });

  it('the note of a run names a single missing document in the singular', () => {
    expect(describeMissingDocuments(1, 3)).toBe('1 of 3 known documents was not found again');
    expect(describeMissingDocuments(1, 1)).toBe('1 of 1 known document was not found again');
    expect(describeMissingDocuments(2, 3)).toBe('2 of 3 known documents were not found again');
  });
});
