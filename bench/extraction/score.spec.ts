import { describe, expect, it } from 'vitest';
import { countFoundIgnoringWhiteSpace, computeScore } from './score.js';

describe('computeScore', () => {
  it.each([
    ['Pumps move water.', 'pumps move WATER', { precision: 1, recall: 1, f1: 1 }],
    ['Menu pumps move water home', 'pumps move water', { precision: 0.6, recall: 1, f1: 0.75 }],
    ['pumps', 'pumps pumps pumps', { precision: 1, recall: 1 / 3, f1: 0.5 }],
    ['', 'pumps', { precision: 0, recall: 0, f1: 0 }],
    ['menu', '', { precision: 0, recall: 0, f1: 0 }],
    ['', '', { precision: 1, recall: 1, f1: 1 }],
  ])(
    'computeScore computes precision, recall and F1 from the words of the text %j and the reference %j',
    (text, reference, expected) => {
      const { precision, recall, f1 } = computeScore(text, reference);
      expect(precision).toBeCloseTo(expected.precision);
      expect(recall).toBeCloseTo(expected.recall);
      expect(f1).toBeCloseTo(expected.f1);
    },
  );
});

describe('countFoundIgnoringWhiteSpace', () => {
  it('countFoundIgnoringWhiteSpace counts a repeated expected item only as often as the extractor found this item', () => {
    expect(countFoundIgnoringWhiteSpace(['a b', 'c', 'c', 'd'], ['a\n  b', 'c', 'x'])).toBe(2);
    expect(countFoundIgnoringWhiteSpace([], ['x'])).toBe(0);
  });
});
