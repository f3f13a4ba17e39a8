import { describe, expect, it } from 'vitest';
import { describeDefaultSchedule, describeSchedule, getDefaultSchedules } from './schedule-texts.js';

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

describe('the default schedules', () => {
  it('a web page and a web site are not synced by default', () => {
    expect(getDefaultSchedules('web_page', '')).toEqual({ schedule: 'never', full_sync_every: 'never' });
    expect(getDefaultSchedules('web_site', 'every 1h')).toMatchObject({ schedule: 'never' });
  });

  it('a listing is synced every 15 minutes, and completely every day unless its schedule is `never`', () => {
    expect(getDefaultSchedules('item_listing', '')).toEqual({ schedule: 'quarter', full_sync_every: 'day' });
    expect(getDefaultSchedules('item_listing', 'never')).toMatchObject({ full_sync_every: 'never' });
  });

  it('the name of the default contains its interval in the given language', () => {
    expect(describeDefaultSchedule('never', 'en')).toBe('Default (only by hand)');
    expect(describeDefaultSchedule('quarter', 'de')).toBe('Voreinstellung (alle 15 Minuten)');
  });
});
