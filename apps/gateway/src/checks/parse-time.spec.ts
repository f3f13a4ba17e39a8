import { describe, expect, it } from 'vitest';
import { parseTime } from './parse-time.js';

describe('parseTime', () => {
  it.each([
    ['2026-11-30', '2026-11-30T00:00:00.000Z'],
    ['2026-11', '2026-11-01T00:00:00.000Z'],
    ['2028-02-29T23:00:00-05:00', '2028-03-01T04:00:00.000Z'],
    ['2026-11-30T12:00:00', '2026-11-30T12:00:00.000Z'],
    ['2026-11-30 12:00:00', '2026-11-30T12:00:00.000Z'],
    ['2026-11-30T12:00:00Z', '2026-11-30T12:00:00.000Z'],
    ['2026-11-30T12:00:00+02:00', '2026-11-30T10:00:00.000Z'],
    ['2026-11-30 12:00:00+0200', '2026-11-30T10:00:00.000Z'],
    ['0000-12-31T23:59:59-05:00', '0001-01-01T04:59:59.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('parseTime parses %s as %s', (text, expected) => {
    expect(parseTime('createdAfter', text).toISOString()).toBe(expected);
  });

  it.each(['2026-W47', '20261130T120000Z', '2026-334', '2026-11-30T12:00:00+01'])('parseTime refuses %s', (text) => {
    expect(() => parseTime('createdAfter', text)).toThrow(`must be a time such as 2026-11-30T12:00:00Z`);
  });

  it.each(['2026-02-30', '2026-02-29T12:00:00Z', '2026-04-31 12:00:00', '2026-11-31T23:00:00-05:00'])(
    'parseTime refuses %s, because the month does not have this day',
    (text) => {
      expect(() => parseTime('createdAfter', text)).toThrow(`must be a time such as 2026-11-30T12:00:00Z`);
    },
  );

  it.each(['0000-01-01', '0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-05:00', '+010000-01-01T00:00:00Z'])(
    'parseTime refuses %s, because PostgreSQL cannot store it',
    (text) => {
      expect(() => parseTime('createdAfter', text)).toThrow(`in the years 1 to 9999 in UTC, found "${text}"`);
    },
  );

  it.each([undefined, null])('parseTime returns undefined for %s', (absent) => {
    expect(parseTime('createdAfter', absent)).toBeUndefined();
  });
});
