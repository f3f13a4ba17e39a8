import { describe, expect, it } from 'vitest';
import { createGuardedStemmer } from './guarded-stemmer.js';

describe('createGuardedStemmer', () => {
  it('a guarded stemmer returns the result of the wrapped stemmer', () => {
    expect(createGuardedStemmer('en', (word) => word.slice(0, 3))('houses')).toBe('hou');
  });

  it('a guarded stemmer returns a word unchanged and warns once if the wrapped stemmer throws', () => {
    const warnings: string[] = [];
    const stem = createGuardedStemmer(
      'bg',
      (word) => {
        throw new TypeError(`Cannot assign to read only property '2' of string '${word}'`);
      },
      (message) => warnings.push(message),
    );
    expect([stem('град'), stem('църкви')]).toEqual(['град', 'църкви']);
    expect(warnings).toEqual([expect.stringMatching(/^the stemmer of bg failed on "град".*read only/)]);
  });
});
