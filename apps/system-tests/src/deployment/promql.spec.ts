import { expect, it } from 'vitest';
import { parseComparisons, parseMetricNames, parseSelectors, selectsSeries } from './promql.js';

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

it('an expression selects a series if all matchers of one of its selectors match the labels of the series', () => {
  const either = 'rate(a{kind="x",path!~"/a|/b.*"}[1m]) or rate(a{kind!="x",path=~"/a.*"}[1m])';
  const select = (kind: string, path: string): boolean => selectsSeries(either, { kind, path });
  expect([select('x', '/c'), select('x', '/a/c'), select('y', '/a/c')]).toEqual([true, true, true]);
  expect([select('x', '/a'), select('x', '/b/c'), select('y', '/c')]).toEqual([false, false, false]);
});

it('the parser throws for a PromQL expression with a syntax error', () => {
  expect(() => parseMetricNames('sum(quarry_jobs{')).toThrow(
    'expected a valid PromQL expression, found sum(quarry_jobs{',
  );
});
