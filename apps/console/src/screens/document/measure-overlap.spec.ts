import { describe, expect, it } from 'vitest';
import { measureOverlap } from './measure-overlap.js';

describe('measureOverlap', () => {
  it('measureOverlap returns the number of characters at the end of a fragment that the next fragment repeats', () => {
    expect(measureOverlap('One two three.', 'two three. Four')).toBe('two three.'.length);
  });

  it('measureOverlap returns 0 for fragments that share no words', () => {
    expect(measureOverlap('One two', 'three')).toBe(0);
    expect(measureOverlap('', 'three')).toBe(0);
  });

  it('measureOverlap ignores a match that begins or ends inside of a word', () => {
    expect(measureOverlap('a cat', 'at home')).toBe(0);
    expect(measureOverlap('an in', 'into')).toBe(0);
  });
});
