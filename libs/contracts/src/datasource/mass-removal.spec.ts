import { expect, it } from 'vitest';
import { isMassRemoval } from './mass-removal.js';

it('believes that 30 % of the documents are gone, and not more', () => {
  expect(isMassRemoval(3, 10)).toBe(false);
  expect(isMassRemoval(4, 10)).toBe(true);
  expect(isMassRemoval(0, 0)).toBe(false);
});

it('believes that one document of few is gone, but not the only one', () => {
  expect(isMassRemoval(1, 2)).toBe(false);
  expect(isMassRemoval(2, 3)).toBe(true);
  expect(isMassRemoval(1, 1)).toBe(true);
});
