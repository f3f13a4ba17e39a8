import { describe, expect, it } from 'vitest';
import { stemPersian } from './stem-persian.js';

describe('stemPersian', () => {
  it.each([
    ['کتاب', 'كتاب'],
    ['کتابها', 'كتاب'],
    ['کتابهایشان', 'كتاب'],
    ['بزرگتر', 'بزرگ'],
    ['بزرگترین', 'بزرگ'],
    ['دوستان', 'دوست'],
  ])('stemPersian reduces %s to the stem %s', (word, stem) => {
    expect(stemPersian(word)).toBe(stem);
  });

  it('stemPersian returns a word unchanged if the word without the suffix would be too short', () => {
    expect(stemPersian('زبان')).toBe('زبان');
    expect(stemPersian('تر')).toBe('تر');
  });
});
