import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTimestamp } from './parse-timestamp.js';

describe('parseTimestamp', () => {
  it.each([
    ['2026-11-24', '2026-11-24T00:00:00.000Z'],
    ['2026-11-24T09:30', '2026-11-24T09:30:00.000Z'],
    ['2026-11-24T09:30:15', '2026-11-24T09:30:15.000Z'],
    ['2026-11-24T09:30:15.25Z', '2026-11-24T09:30:15.250Z'],
    ['2026-11-24T00:30:00+01:00', '2026-11-23T23:30:00.000Z'],
    ['2026-11-24T09:30-05:00', '2026-11-24T14:30:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['0000-01-01', '0000-01-01T00:00:00.000Z'],
  ])('parseTimestamp parses %s, in UTC unless the text has an offset', (text, expected) => {
    expect(new Date(parseTimestamp(text) ?? NaN).toISOString()).toBe(expected);
  });

  it.each([
    ...['', '2026', '2026-11', '24.11.2026', '20261124', '2026-1-2', ' 2026-11-24', '2026-11-24 09:30', '2026-11-24T'],
    ...['2026-02-30', '2025-02-29', '2026-13-01', '2026-00-10', '2026-11-24T25:00', '2026-11-24T09:61', 'Nov 24, 2026'],
    ...['2026-11-24T09', '2026-11-24T09:30z', '2026-11-24T09:30+1', '２０２６-11-24', '2026-11-24\n'],
  ])(
    'parseTimestamp returns undefined for %j, which is not an existing date in the extended format of ISO 8601',
    (text) => {
      expect(parseTimestamp(text)).toBeUndefined();
    },
  );

  it('parseTimestamp is the inverse of toISOString', () => {
    const date = fc.date({
      min: new Date('0000-01-01T00:00Z'),
      max: new Date('9999-12-31T23:59Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, (one) => {
        expect(parseTimestamp(one.toISOString())).toBe(one.getTime());
      }),
    );
  });
});
