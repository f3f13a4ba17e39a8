import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from './index.js';

describe('parseRetryAfter', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['1.5', 1_500],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
    [null, undefined],
  ])('parseRetryAfter returns the delay of %j in milliseconds: %s', (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });
});
