import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSchedule, requireStandardCron } from './schedule.js';

const NOW = new Date('2026-06-01T12:07:30.000Z');
const after = (text: string, jitter = 0): string | undefined =>
  readSchedule('schedule', text)?.after(NOW, jitter).toISOString();

describe('a schedule', () => {
  it.each([
    ['every 15m', '2026-06-01T12:22:30.000Z'],
    ['every 2h', '2026-06-01T14:07:30.000Z'],
    ['every 1d', '2026-06-02T12:07:30.000Z'],
    ['*/15 * * * *', '2026-06-01T12:15:00.000Z'],
    ['0 3 * * 1', '2026-06-08T03:00:00.000Z'],
    ['never', undefined],
  ])('%s comes next at %s', (text, expected) => {
    expect(after(text)).toBe(expected);
  });

  it.each([
    '',
    'every',
    'every 0m',
    'every 367d',
    'every 5s',
    'daily',
    '* * * *',
    '* * * * * *',
    '61 * * * *',
    '0 0 30 2 *',
  ])('refuses %j, naming the field', (text) => {
    expect(() => readSchedule('config.schedule', text)).toThrow(/^config\.schedule must be/);
  });

  it.each(['H * * * *', '0 3 L * *', '0 3 * * 5L', '0 3 * * 1#2', '0 3 ? * *', '0 3 15W * *', 'H/15 * * * *'])(
    'refuses %s, which is not part of standard cron or may be random',
    (text) => {
      expect(() => {
        requireStandardCron('config.schedule', text);
      }).toThrow(/^config\.schedule must have numbers, names .* found "/);
    },
  );

  it.each(['0 3 * * *', '*/15 1-5,7 1 JAN,jul MON-FRI', 'every 15m', 'never'])('accepts %s', (text) => {
    expect(() => {
      readSchedule('config.schedule', text);
      requireStandardCron('config.schedule', text);
    }).not.toThrow();
  });

  it('is always in the future, whatever the jitter', () => {
    const schedules = fc.constantFrom('every 1m', 'every 3h', '* * * * *', '30 4 1 * *');
    fc.assert(
      fc.property(
        schedules,
        fc.date({ noInvalidDate: true, min: new Date('2020-01-01'), max: new Date('2100-01-01') }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (text, now, jitter) => {
          expect(readSchedule('schedule', text)?.after(now, jitter).getTime()).toBeGreaterThan(now.getTime());
        },
      ),
    );
  });

  it('is spread by up to a tenth of an interval, and by up to a minute of a time of day', () => {
    expect(after('every 10m', 1)).toBe('2026-06-01T12:18:30.000Z');
    expect(after('*/15 * * * *', 0.5)).toBe('2026-06-01T12:15:30.000Z');
  });
});
