import { expect, it } from 'vitest';
import { formatCount } from './format-count.js';

it('a number other than 1 has a noun in the plural', () => {
  expect([0, 1, 2].map((number) => formatCount(number, 'known document'))).toEqual([
    '0 known documents',
    '1 known document',
    '2 known documents',
  ]);
});
