import { expect, it } from 'vitest';
import { truncateText } from './truncate-text.js';

it.each([
  ['short', 9, 'short'],
  ['a😀b', 3, 'a😀'],
  ['a😀b', 2, 'a'],
])('truncateText truncates %j to at most %i code units without half of a surrogate pair', (text, length, expected) => {
  expect(truncateText(text, length)).toBe(expected);
});
