import { describe, expect, it } from 'vitest';
import { computePhraseMatches } from './phrases.js';

const QUESTION = 'What did the company spend on research and development, and what was the gross margin?';

describe('computePhraseMatches', () => {
  it('computePhraseMatches finds two words of the question that follow each other in a sentence', () => {
    const [together, apart] = computePhraseMatches(
      ['The gross margin fell.', 'The margin is a share of what a gross amount leaves.'],
      'What was the gross margin?',
    );
    expect(together).toBe(1);
    expect(apart).toBe(0);
  });

  it('computePhraseMatches accepts one function word between the two words', () => {
    const [match] = computePhraseMatches(['Expenses for research and development rose.'], QUESTION);
    expect(match).toBeGreaterThan(0);
  });

  it('computePhraseMatches returns 0 for every sentence if the question has one significant word', () => {
    expect(computePhraseMatches(['The gross margin fell.'], 'margin?')).toEqual([0]);
  });
});
