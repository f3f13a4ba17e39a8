import { describe, expect, it } from 'vitest';
import { describeSchedule } from './schedule-texts.js';

describe('describeSchedule', () => {
  it('describeSchedule returns the name of a common interval in the given language', () => {
    expect(describeSchedule('every 1d', 'en')).toBe('Every day');
    expect(describeSchedule('every 1d', 'de')).toBe('Jeden Tag');
    expect(describeSchedule('never', 'de')).toBe('Nur von Hand');
  });

  it('describeSchedule returns other intervals and cron expressions unchanged', () => {
    expect(describeSchedule('every 6h', 'de')).toBe('every 6h');
    expect(describeSchedule('0 3 * * 1', 'en')).toBe('0 3 * * 1');
  });
});
