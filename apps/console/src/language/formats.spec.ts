import { describe, expect, it } from 'vitest';
import { createFormats } from './formats.js';

const en = createFormats('en', 'Europe/Berlin');
const de = createFormats('de', 'Europe/Berlin');
const NOW = new Date('2026-11-23T12:00:00Z');
const subtractSeconds = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1_000);

describe('the formats', () => {
  it('formatted numbers have the separators and abbreviations of the language', () => {
    expect(en.number(1_234_567.891)).toBe('1,234,567.89');
    expect(de.number(1_234_567.891)).toBe('1.234.567,89');
    expect([0, 500, 1_200_000].map(en.compact)).toEqual(['0', '500', '1.2m']);
    expect([0, 1_500, 1_200_000].map(de.compact)).toEqual(['0', '1.500', '1,2\u00a0Mio.']);
  });

  it('formatted times are in the time zone of the user', () => {
    expect(en.exact(NOW)).toMatch(/13:00:00/);
    expect(de.exact(NOW)).toMatch(/23\. November 2026.*13:00:00/);
  });

  it('days in UTC are formatted as the same day in every time zone', () => {
    for (const zone of ['America/Los_Angeles', 'UTC', 'Pacific/Auckland']) {
      const formats = createFormats('en', zone);
      expect([formats.day('2026-11-23'), formats.shortDay('2026-11-23')]).toEqual(['23 Nov 2026', '23 Nov']);
    }
    expect([en.time(NOW), de.time(NOW)]).toEqual(['13:00', '13:00']);
  });

  it.each([
    [0, 'now', 'jetzt'],
    [59, '59 seconds ago', 'vor 59 Sekunden'],
    [60, '1 minute ago', 'vor 1 Minute'],
    [3_599, '59 minutes ago', 'vor 59 Minuten'],
    [86_400, 'yesterday', 'gestern'],
    [86_400 * 45, 'last month', 'letzten Monat'],
    [86_400 * 800, '2 years ago', 'vor 2 Jahren'],
    [-7_200, 'in 2 hours', 'in 2 Stunden'],
  ])('a time that lies %i seconds before now is formatted in words', (seconds, english, german) => {
    expect(en.relative(subtractSeconds(seconds), NOW)).toBe(english);
    expect(de.relative(subtractSeconds(seconds), NOW)).toBe(german);
  });

  it.each([
    [0, '0 byte'],
    [1, '1 byte'],
    [999, '999 byte'],
    [1_000, '1 kB'],
    [1_250, '1.3 kB'],
    [52_428_800, '52 MB'],
    [3_000_000_000_000_000, '3,000 TB'],
  ])('a size of %i bytes is formatted with a suitable unit', (bytes, expected) => {
    expect(en.bytes(bytes)).toMatch(expected);
  });

  it.each([
    [12, '12 ms', '12 ms'],
    [2_440, '2.4s', '2,4 Sek.'],
    [185_000, '3m 5s', '3 Min. 5 Sek.'],
    [7_260_000, '2h 1m', '2 Std. 1 Min.'],
    [183_600_000, '2d 3h', '2 Tg. 3 Std.'],
  ])('a duration of %i ms is formatted with suitable units', (ms, english, german) => {
    expect(en.duration(ms)).toBe(english);
    expect(de.duration(ms).replaceAll('\u00a0', ' ')).toBe(german);
  });

  it('`plural` selects the singular or the plural form by the number, and inserts the formatted number', () => {
    const forms = { one: '# document', other: '# documents' };
    expect([0, 1, 1_200].map((count) => en.plural(count, forms))).toEqual([
      '0 documents',
      '1 document',
      '1,200 documents',
    ]);
  });
});
