import { expect, it } from 'vitest';
import { computeExpiryTime, formatDays } from './expiry.js';

it('computeExpiryTime adds the number of days to the current time, and returns null for `never`', () => {
  const now = new Date('2026-11-23T12:00:00Z');
  expect(computeExpiryTime('30', now)).toBe('2026-12-23T12:00:00.000Z');
  expect(computeExpiryTime('never', now)).toBeNull();
});

it('formatDays formats a number of days with its unit in the given language; in German, the unit is in the dative case', () => {
  expect([formatDays('en', 30), formatDays('de', 30), formatDays('de', 1)]).toEqual(['30 days', '30 Tagen', '1 Tag']);
});
