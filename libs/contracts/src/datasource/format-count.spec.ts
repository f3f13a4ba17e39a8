import { expect, it } from 'vitest';
import { formatCount } from './format-count.js';

it('formatCount uses the plural of the noun for each number except 1', () => {
  expect([0, 1, 2].map((number) => formatCount(number, 'known document'))).toEqual([
    '0 known documents',
    '1 known document',
    '2 known documents',
  ]);
});
