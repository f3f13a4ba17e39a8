import { expect, it } from 'vitest';
import { createFormats } from '../../language/formats.js';
import { computeIntervalPosition, formatMeasure } from './measures.js';

it('computeIntervalPosition returns the position of the confidence interval of a share in percent of a scale from 0 to 1', () => {
  expect(computeIntervalPosition({ value: 0.5, low: 0.25, high: 0.75, questions: 40 }, 1)).toEqual({
    low: 25,
    width: 50,
    value: 50,
  });
});

it('computeIntervalPosition returns the position of the confidence interval of a duration in percent of a scale from 0 to the given maximum', () => {
  expect(computeIntervalPosition({ value: 50, low: 0, high: 100, questions: 40 }, 200)).toEqual({
    low: 0,
    width: 50,
    value: 25,
  });
});

it('formatMeasure formats shares with the decimal separator of the language, and durations with a unit', () => {
  expect(formatMeasure('ndcg10', 0.81234, createFormats('en'))).toBe('0.81');
  expect(formatMeasure('ndcg10', 0.81234, createFormats('de'))).toBe('0,81');
  expect(formatMeasure('latencyP50Ms', 1_500, createFormats('en'))).toBe(createFormats('en').duration(1_500));
});
