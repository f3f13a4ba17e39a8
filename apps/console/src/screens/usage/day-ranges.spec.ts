import { describe, expect, it } from 'vitest';
import { computeDayRange, parseRangeName, selectLabeledDays } from './day-ranges.js';

describe('a range of days', () => {
  it('computeDayRange returns a range whose last day is the current day in UTC', () => {
    expect(computeDayRange('week', new Date('2026-03-02T00:30:00+01:00'))).toEqual({
      from: '2026-02-23',
      to: '2026-03-01',
    });
    expect(computeDayRange('year', new Date('2026-03-01T12:00:00Z'))).toEqual({ from: '2025-03-02', to: '2026-03-01' });
  });

  it('parseRangeName returns `month` for an absent or unknown name', () => {
    expect([undefined, 'week', 'century'].map(parseRangeName)).toEqual(['month', 'week', 'month']);
  });
});

describe('the labels of an axis', () => {
  it.each([
    [7, 7, [0, 1, 2, 3, 4, 5, 6]],
    [30, 5, [5, 11, 17, 23, 29]],
    [365, 4, [88, 180, 272, 364]],
    [1, 8, [0]],
    [3, 0, [2]],
  ])(
    'for %i days and at most %i labels, selectLabeledDays returns equidistant days including the last day',
    (days, room, labels) => {
      expect(selectLabeledDays(days, room)).toEqual(labels);
    },
  );
});
