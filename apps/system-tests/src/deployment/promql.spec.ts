import { expect, it } from 'vitest';
import { parseComparisons, parseMetricNames, parseSelectors } from './promql.js';

const EXPRESSION =
  'max by (queue) (quarry_queue_age{queue=~"a|b > 1", service!="x"}) > 900 unless sum(rate(quarry_jobs_count[5m])) == 0';

it('the parser returns the metrics of a PromQL expression and the labels of their matchers', () => {
  expect(parseSelectors(EXPRESSION)).toEqual([
    { metric: 'quarry_queue_age', labels: ['queue', 'service'] },
    { metric: 'quarry_jobs_count', labels: [] },
  ]);
  expect(parseMetricNames('1 - up')).toEqual(['up']);
});

it('the parser returns the comparisons with numbers in a PromQL expression', () => {
  expect(parseComparisons(EXPRESSION)).toEqual([
    { metrics: ['quarry_queue_age'], operator: '>', limit: 900 },
    { metrics: ['quarry_jobs_count'], operator: '==', limit: 0 },
  ]);
  expect(parseComparisons('up == bool 0')).toEqual([{ metrics: ['up'], operator: '==', limit: 0 }]);
  expect(parseComparisons('sum(up) / sum(down)')).toEqual([]);
});

it('the parser throws for a PromQL expression with a syntax error', () => {
  expect(() => parseMetricNames('sum(quarry_jobs{')).toThrow(
    'expected a valid PromQL expression, found sum(quarry_jobs{',
  );
});
