import { describe, expect, it } from 'vitest';
import { scoreShingles } from './score-shingles.js';

describe('scoreShingles', () => {
  it.each([
    {
      of: 'the same text',
      text: 'Pumps move water, all day.',
      reference: 'Pumps move water all day',
      precision: 1,
      recall: 1,
    },
    {
      of: 'a text in another case',
      text: 'pumps move water all day',
      reference: 'Pumps move water all day',
      precision: 0.5,
      recall: 0.5,
    },
    { of: 'surplus words at the end', text: 'a b c d e f', reference: 'a b c d', precision: 1 / 3, recall: 1 },
    { of: 'a repeated text', text: 'a b c d a b c d', reference: 'a b c d', precision: 1 / 5, recall: 1 },
    { of: 'missing words', text: 'a b c d', reference: 'a b c d e f', precision: 1, recall: 1 / 3 },
    { of: 'a text shorter than a shingle', text: 'a b', reference: 'a b', precision: 1, recall: 1 },
    { of: 'no text', text: '', reference: 'a b c d', precision: 0, recall: 0 },
  ])(
    'scoreShingles computes the precision and recall of four-token sequences for $of',
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
