import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isItemDate, subtractMillisecond } from './listed-item.js';

describe('subtractMillisecond', () => {
  it('subtractMillisecond returns a valid date that is one millisecond earlier', () => {
    expect(subtractMillisecond('2026-01-01T00:00:00.000Z')).toBe('2025-12-31T23:59:59.999Z');
    const dates = fc.date({ min: new Date('0000-01-01T00:00:00.001Z'), max: new Date('9999-12-31T23:59:59.999Z') });
    fc.assert(
      fc.property(
        dates.filter((date) => !Number.isNaN(date.getTime())),
        (date) => {
          const before = subtractMillisecond(date.toISOString());
          expect(isItemDate(before)).toBe(true);
          expect(Date.parse(before)).toBe(date.getTime() - 1);
        },
      ),
    );
  });

  it('subtractMillisecond returns an empty text for the earliest date', () => {
    expect(subtractMillisecond('0000-01-01T00:00:00.000Z')).toBe('');
  });
});
