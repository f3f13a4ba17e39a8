import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatMonth, computeNextMonth } from './month.js';

const moments = fc.date({ min: new Date('2000-01-01'), max: new Date('2999-12-31'), noInvalidDate: true });

it.each([
  ['2026-11-30T23:59:59.999Z', '2026-11', '2026-12-01T00:00:00.000Z'],
  ['2026-12-01T00:00:00.000Z', '2026-12', '2027-01-01T00:00:00.000Z'],
  ['2028-02-29T12:00:00.000Z', '2028-02', '2028-03-01T00:00:00.000Z'],
  ['2026-12-31T23:30:00.000-01:00', '2027-01', '2027-02-01T00:00:00.000Z'],
])('the time %s is in the month %s, which ends at %s', (moment, month, end) => {
  expect(formatMonth(new Date(moment))).toBe(month);
  expect(computeNextMonth(new Date(moment)).toISOString()).toBe(end);
});

it('a month ends one millisecond before the next month begins', () => {
  fc.assert(
    fc.property(moments, (moment) => {
      const end = computeNextMonth(moment);
      expect(end.getTime()).toBeGreaterThan(moment.getTime());
      expect(formatMonth(end)).not.toBe(formatMonth(moment));
      expect(formatMonth(new Date(end.getTime() - 1))).toBe(formatMonth(moment));
    }),
  );
});
