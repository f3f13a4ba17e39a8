import { describe, expect, it } from 'vitest';
import { summarizeFragments } from './summarize-fragments.js';

const LOADED = [{ tokens: 40 }, { tokens: 2 }];

describe('summarizeFragments', () => {
  it('summarizeFragments counts the loaded fragments if all fragments of the document are loaded', () => {
    const counted = { passages: 2, tokens: 42, isComplete: true };
    expect(summarizeFragments(LOADED, false, undefined)).toEqual(counted);
    expect(summarizeFragments(LOADED, false, { fragments: 1, storedTokens: 1 })).toEqual(counted);
  });

  it('summarizeFragments returns the stored counts of the document if some fragments are not loaded', () => {
    expect(summarizeFragments(LOADED, true, { fragments: 250, storedTokens: 9_000 })).toEqual({
      ...{ passages: 250, tokens: 9_000, isComplete: true },
    });
  });

  it('if some fragments are not loaded and no counts are stored, summarizeFragments counts the loaded fragments, with `isComplete: false`', () => {
    for (const document of [null, undefined]) {
      expect(summarizeFragments(LOADED, true, document)).toEqual({ passages: 2, tokens: 42, isComplete: false });
    }
  });
});
