import { describe, expect, it } from 'vitest';
import { countCharacters, MaxLength, parse, ValidationError } from './index.js';

class Named {
  @MaxLength(3)
  readonly name: unknown;
}

function listMessages(name: unknown): readonly string[] {
  try {
    parse(Named, { name }, 'refuse');
    return [];
  } catch (error) {
    if (error instanceof ValidationError) return error.issues.map(({ message }) => message);
    throw error;
  }
}

/** A text with its number of Unicode code points. */
const TEXTS = [
  ['', 0],
  ['abc', 3],
  ['äöü', 3],
  ['😀😀😀', 3],
  ['\ud83d\ude00\ud83d', 2],
  ['❤️', 2],
  ['abcd', 4],
  ['😀😀😀😀', 4],
  ['❤️❤️', 4],
] as const;

describe('MaxLength', () => {
  it.each(TEXTS)('countCharacters counts the Unicode code points of %j', (text, count) => {
    expect(countCharacters(text)).toBe(count);
  });

  it.each(TEXTS)('MaxLength(3) accepts the text %j only if countCharacters counts at most 3 characters', (text) => {
    expect(listMessages(text)).toHaveLength(countCharacters(text) <= 3 ? 0 : 1);
  });

  it('a value that violates MaxLength is reported with the maximum, and a value that is not a text with its type', () => {
    expect(listMessages('abcd')).toEqual(['must be shorter than or equal to 3 characters, found "abcd"']);
    expect(listMessages(7)).toEqual(['must be a string, found 7']);
  });
});
