import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoizeFunction } from './memoize.js';

describe('memoizeFunction', () => {
  it('a memoized function returns the results of the original function', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 2 })), fc.integer({ min: 1, max: 5 }), (keys, most) => {
        const listed = memoizeFunction((key) => [key], most);
        expect(keys.map(listed)).toEqual(keys.map((key) => [key]));
      }),
    );
  });

  it('a memoized function caches the results of recent keys, and evicts the results of older keys', () => {
    const asked: string[] = [];
    const listed = memoizeFunction((key) => {
      asked.push(key);
      return [key];
    }, 2);
    for (const key of ['a', 'b', 'a', 'c', 'a', 'd', 'a', 'e', 'a']) listed(key);
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'e']);
    listed('b');
    expect(asked.at(-1)).toBe('b');
  });
});
