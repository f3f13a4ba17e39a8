import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeMissingDocuments, isMassRemoval } from './mass-removal.js';

const isMass = (missing: number, known: number, added = 0): boolean =>
  isMassRemoval({ missing, known, remaining: known - missing + added });

describe('the limit of missing documents', () => {
  it('a removal of up to 30 % of the known documents is no mass removal', () => {
    expect(isMass(299, 1_000)).toBe(false);
    expect(isMass(300, 1_000)).toBe(false);
    expect(isMass(301, 1_000)).toBe(true);
    expect(isMass(0, 0)).toBe(false);
  });

  it('for any number of known documents, removing exactly 30 % is no mass removal, and removing one more document is a mass removal', () => {
    const tens = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(tens, (n) => {
        expect([isMass(3 * n, 10 * n), isMass(3 * n + 1, 10 * n)]).toEqual([false, true]);
      }),
    );
  });

  it('removing one of two known documents is no mass removal, and removing the only known document is a mass removal', () => {
    expect(isMass(1, 2)).toBe(false);
    expect(isMass(2, 3)).toBe(true);
    expect(isMass(1, 1)).toBe(true);
  });

  it('if a run finds new documents, removing the only known document is no mass removal, but removing all 50 known documents is a mass removal', () => {
    expect(isMass(1, 1, 1)).toBe(false);
    expect(isMass(50, 50, 500)).toBe(true);
  });

  it('describeMissingDocuments uses the singular for one missing document', () => {
    expect(describeMissingDocuments(1, 3)).toBe('1 of 3 known documents was not found again');
    expect(describeMissingDocuments(1, 1)).toBe('1 of 1 known document was not found again');
    expect(describeMissingDocuments(2, 3)).toBe('2 of 3 known documents were not found again');
  });
});
