import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isMassRemoval } from './mass-removal.js';

const isMass = (missing: number, known: number, added = 0): boolean =>
  isMassRemoval({ missing, known, remaining: known - missing + added });

it('allows up to 30 % of the documents to be missing', () => {
  expect(isMass(299, 1_000)).toBe(false);
  expect(isMass(300, 1_000)).toBe(false);
  expect(isMass(301, 1_000)).toBe(true);
  expect(isMass(0, 0)).toBe(false);
});

it('allows exactly 30 % of any number of documents to be missing, and not one more', () => {
  const tens = fc.integer({ min: 1, max: 100_000 });
  fc.assert(
    fc.property(tens, (n) => {
      expect([isMass(3 * n, 10 * n), isMass(3 * n + 1, 10 * n)]).toEqual([false, true]);
    }),
  );
});

it('allows one of few documents to be missing, but not the only one', () => {
  expect(isMass(1, 2)).toBe(false);
  expect(isMass(2, 3)).toBe(true);
  expect(isMass(1, 1)).toBe(true);
});

it('allows the only document to be missing if a new one was found, but not all of several documents', () => {
  expect(isMass(1, 1, 1)).toBe(false);
  expect(isMass(50, 50, 500)).toBe(true);
});
