import { describe, expect, it } from 'vitest';
import { findNextItem } from './move-focus.js';

const TEXTS = ['Edit', 'Copy id', 'Export', 'Delete'];

describe('findNextItem', () => {
  it.each([
    ['ArrowDown', -1, 0],
    ['ArrowDown', 3, 0],
    ['ArrowUp', -1, 3],
    ['ArrowUp', 0, 3],
    ['ArrowRight', 1, 2],
    ['Home', 2, 0],
    ['End', 0, 3],
    ['e', -1, 0],
    ['e', 0, 2],
    ['E', 2, 0],
    ['d', 0, 3],
    ['x', 0, undefined],
    [' ', 0, undefined],
    ['Enter', 0, undefined],
  ])('for the key %s and the focused index %i, findNextItem returns the index %s', (key, current, expected) => {
    expect(findNextItem(TEXTS, current, key)).toBe(expected);
  });

  it('findNextItem returns undefined for an empty list', () => {
    expect(findNextItem([], -1, 'ArrowDown')).toBeUndefined();
  });
});
