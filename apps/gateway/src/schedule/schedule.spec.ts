import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSchedule, requireStandardCron } from './schedule.js';

const NOW = new Date('2026-06-01T12:07:30.000Z');
const computeNextTime = (text: string, jitter = 0): string | undefined =>
  parseSchedule('schedule', text)?.computeNextTime(NOW, jitter).toISOString();

describe('a schedule', () => {
  it.each([
    ['every 15m', '2026-06-01T12:22:30.000Z'],
    ['every 2h', '2026-06-01T14:07:30.000Z'],
    ['every 1d', '2026-06-02T12:07:30.000Z'],
    ['*/15 * * * *', '2026-06-01T12:15:00.000Z'],
    ['0 3 * * 1', '2026-06-08T03:00:00.000Z'],
    ['never', undefined],
  ])('without jitter, the next time of the schedule %s after 2026-06-01T12:07:30Z is %s', (text, expected) => {
    expect(computeNextTime(text)).toBe(expected);
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
  ])('parseSchedule refuses the schedule %j, and the error names the field of the schedule', (text) => {
    expect(() => parseSchedule('config.schedule', text)).toThrow(/^config\.schedule must be/);
  });

  it.each(['H * * * *', '0 3 L * *', '0 3 * * 5L', '0 3 * * 1#2', '0 3 ? * *', '0 3 15W * *', 'H/15 * * * *'])(
    'requireStandardCron refuses the cron expression %s, which uses an extension of standard cron',
    (text) => {
      expect(() => {
        requireStandardCron('config.schedule', text);
      }).toThrow(/^config\.schedule must have numbers, names .* found "/);
    },
  );

  it.each(['0 3 * * *', '*/15 1-5,7 1 JAN,jul MON-FRI', 'every 15m', 'never'])(
    'requireStandardCron accepts the schedule %s',
    (text) => {
      expect(() => {
        parseSchedule('config.schedule', text);
        requireStandardCron('config.schedule', text);
      }).not.toThrow();
    },
  );

  it('the next time of a schedule is always in the future, whatever the jitter', () => {
    const schedules = fc.constantFrom('every 1m', 'every 3h', '* * * * *', '30 4 1 * *');
    fc.assert(
      fc.property(
        schedules,
        fc.date({ noInvalidDate: true, min: new Date('2020-01-01'), max: new Date('2100-01-01') }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (text, now, jitter) => {
          expect(parseSchedule('schedule', text)?.computeNextTime(now, jitter).getTime()).toBeGreaterThan(
            now.getTime(),
          );
        },
      ),
    );
  });

  it('jitter delays the next time of an interval schedule by up to a tenth of the interval, and of a cron schedule by up to a minute', () => {
    expect(computeNextTime('every 10m', 1)).toBe('2026-06-01T12:18:30.000Z');
    expect(computeNextTime('*/15 * * * *', 0.5)).toBe('2026-06-01T12:15:30.000Z');
  });

  it('a cron schedule of every minute skips no minute, whatever the jitter', () => {
    const schedule = parseSchedule('schedule', '* * * * *');
    let time: Date | undefined = new Date('2026-06-01T12:00:58Z');
    for (let minute = 1; minute <= 5; minute += 1) {
      const noticedAt: Date = new Date((time?.getTime() ?? NaN) + 3_000);
      time = schedule?.computeNextTime(noticedAt, 0.97);
    }
    expect(time?.toISOString()).toBe('2026-06-01T12:05:58.200Z');
  });
});
