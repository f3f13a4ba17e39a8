import { expect, it } from 'vitest';
import { formatLocalTime } from './format-local-time.js';

it('formatLocalTime returns a text that the browser parses as the same minute in local time', () => {
  const time = new Date(2026, 0, 3, 4, 5);
  expect(formatLocalTime(time)).toBe('2026-01-03T04:05');
  expect(new Date(formatLocalTime(time))).toEqual(time);
});
