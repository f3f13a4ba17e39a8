import { describe, expect, it } from 'vitest';
import { measureFragmentOverlap } from './measure-fragment-overlap.js';

const SENTENCE = 'The pump has two seals.';

describe('measureFragmentOverlap', () => {
  it('measureFragmentOverlap returns the length of the text that repeats the end of the previous fragment', () => {
    const fragment = { text: `${SENTENCE} Each lasts a year.`, tokens: 12 };
    expect(measureFragmentOverlap({ text: `It is new. ${SENTENCE}` }, fragment, 8)).toBe(SENTENCE.length);
    expect(measureFragmentOverlap({ text: `It is new. ${SENTENCE}` }, fragment, 0)).toBe(0);
  });

  it('measureFragmentOverlap returns at most twice the average length of the tokens in the overlap of a text of equal lines', () => {
    const text = Array.from({ length: 50 }, () => 'GET /health 200 OK').join('\n');
    const overlap = measureFragmentOverlap({ text }, { text, tokens: 350 }, 64);
    expect(overlap).toBeGreaterThan(0);
    expect(overlap).toBeLessThanOrEqual((2 * 64 * text.length) / 350 + 1);
  });
});
