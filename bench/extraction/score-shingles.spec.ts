import { describe, expect, it } from 'vitest';
import { scoreShingles } from './score-shingles.js';

describe('scoreShingles', () => {
  it.each([
    {
      of: 'a text that differs from the reference only in punctuation',
      text: 'Pumps move water, all day.',
      reference: 'Pumps move water all day',
      precision: 1,
      recall: 1,
    },
    {
      of: 'a text that differs from the reference only in case',
      text: 'pumps move water all day',
      reference: 'Pumps move water all day',
      precision: 0.5,
      recall: 0.5,
    },
    {
      of: 'a text with surplus words at its end',
      text: 'a b c d e f',
      reference: 'a b c d',
      precision: 1 / 3,
      recall: 1,
    },
    {
      of: 'a text that repeats the reference',
      text: 'a b c d a b c d',
      reference: 'a b c d',
      precision: 1 / 5,
      recall: 1,
    },
    {
      of: 'a text that lacks words of the reference',
      text: 'a b c d',
      reference: 'a b c d e f',
      precision: 1,
      recall: 1 / 3,
    },
    { of: 'a text of fewer than four tokens', text: 'a b', reference: 'a b', precision: 1, recall: 1 },
    { of: 'an empty text', text: '', reference: 'a b c d', precision: 0, recall: 0 },
  ])(
    'scoreShingles computes the precision and recall of the four-token sequences of $of',
    ({ text, reference, precision, recall }) => {
      const score = scoreShingles([{ text, reference }]);
      expect(score.precision).toBeCloseTo(precision);
      expect(score.recall).toBeCloseTo(recall);
    },
  );

  it('scoreShingles computes F1 from the mean precision, which omits pages without extracted text, and the mean recall', () => {
    const pairs = [
      { text: 'a b c d', reference: 'a b c d e f g' },
      { text: '', reference: 'a b c d' },
    ];
    const { precision, recall, f1 } = scoreShingles(pairs);
    expect([precision, recall]).toEqual([1, 0.125]);
    expect(f1).toBeCloseTo((2 * 0.125) / 1.125);
  });
});
