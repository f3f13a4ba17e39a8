import { describe, expect, it } from 'vitest';
import { computePhraseMatches, createPhraseFinder } from './phrases.js';

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

describe('createPhraseFinder', () => {
  const containsPhrase = createPhraseFinder('share repurchase activities');

  it('createPhraseFinder finds two neighbouring words of the question in any order', () => {
    expect(containsPhrase('We repurchased 46 million shares.')).toBe(true);
    expect(containsPhrase('The activities of the share repurchase ended.')).toBe(true);
  });

  it('createPhraseFinder ignores words of the question that are far apart, or do not follow each other in the question', () => {
    expect(containsPhrase('Each share had a dividend before the board began to repurchase.')).toBe(false);
    expect(containsPhrase('Each share rose after the activities.')).toBe(false);
  });

  it('createPhraseFinder finds the word of a question that has only one significant word', () => {
    expect(createPhraseFinder('the revenue')('Revenue rose.')).toBe(true);
    expect(createPhraseFinder('the revenue')('Costs rose.')).toBe(false);
  });
});
