import { describe, expect, it } from 'vitest';
import { computePhraseMatches, createPhraseFinder } from './phrases.js';

const QUESTION = 'What did the company spend on research and development, and what was the gross margin?';

describe('computePhraseMatches', () => {
  it('if a question contains “gross margin”, computePhraseMatches returns 1 for a sentence with this phrase, and 0 for a sentence with its two words apart', () => {
    const [together, apart] = computePhraseMatches(
      ['The gross margin fell.', 'The margin is a share of what a gross amount leaves.'],
      'What was the gross margin?',
    );
    expect(together).toBe(1);
    expect(apart).toBe(0);
  });

  it('computePhraseMatches finds a phrase of the question if one function word, such as “and”, is between its two words', () => {
    const [match] = computePhraseMatches(['Expenses for research and development rose.'], QUESTION);
    expect(match).toBeGreaterThan(0);
  });

  it('if the question has only one significant word, computePhraseMatches returns 0 for every sentence', () => {
    expect(computePhraseMatches(['The gross margin fell.'], 'margin?')).toEqual([0]);
  });
});

describe('createPhraseFinder', () => {
  const containsPhrase = createPhraseFinder('share repurchase activities');

  it('createPhraseFinder finds sentences that contain two neighbouring words of the question in either order', () => {
    expect(containsPhrase('We repurchased 46 million shares.')).toBe(true);
    expect(containsPhrase('The activities of the share repurchase ended.')).toBe(true);
  });

  it('createPhraseFinder ignores two words that are far apart in the sentence, or are not neighbours in the question', () => {
    expect(containsPhrase('Each share had a dividend before the board began to repurchase.')).toBe(false);
    expect(containsPhrase('Each share rose after the activities.')).toBe(false);
  });

  it('if the question has only one significant word, createPhraseFinder finds sentences that contain this word', () => {
    expect(createPhraseFinder('the revenue')('Revenue rose.')).toBe(true);
    expect(createPhraseFinder('the revenue')('Costs rose.')).toBe(false);
  });
});
