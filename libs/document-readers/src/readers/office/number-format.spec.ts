import { describe, expect, it } from 'vitest';
import { createNumberFormatter } from './number-format.js';

const formatValue = (pattern: string, value: number, from1904 = false): string =>
  createNumberFormatter(pattern, from1904)(value);

describe('createNumberFormatter', () => {
  it.each([
    ['General', 0.1 + 0.2, '0.3'],
    ['#,##0.00', 1234.567, '1234.567'],
    ['#,##0_);[Red](#,##0)', -1234, '-1234'],
    ['0.00E+00', 1234.5, '1234.5'],
    ['#,##0,', 1_234_000, '1234000'],
    [';;;', 5, '5'],
    ['"Yes";"No";"None"', 1, '1'],
    ['[', 5, '5'],
    ['"CO2 "0.0', 2.34, 'CO2 2.34'],
    ['0" m2"', 2.3, '2.3 m2'],
    ['0" m"', -0.3, '-0.3 m'],
    ['0" (est.)"', -0.3, '-0.3 (est.)'],
    ['$0;($0)', -0.3, '($0.3)'],
    ['"General "0', 2.3, 'General 2.3'],
    ['', 2.3, '2.3'],
    ['General" kg"', 5.5, '5.5 kg'],
    ['General\\ "kg"', 123_456_789_012.5, '123456789012.5 kg'],
  ])(
    'the formatter of the number format %s keeps all digits of a number, including those that the format omits',
    (pattern, value, expected) => {
      expect(formatValue(pattern, value)).toBe(expected);
    },
  );

  it.each([
    ['0.0%', 0.1234, '12.3%'],
    ['#,##0.00 "€"', 1234.5, '1234.5 €'],
    ['$#,##0.00;($#,##0.00)', -1234.5, '($1234.5)'],
    ['_-* #,##0.00\\ "kr"_-', 1234.5, '1234.5 kr'],
    ['0.0"x"', 2.25, '2.25x'],
    ['#,##0.00\\ [$€-407]', 1234.567, '1234.567 €'],
    ['#,##0\\ [$€-407]', 1234, '1234 €'],
    ['#,##0.00\\ [$€-40C]', 1234.567, '1234.567 €'],
    ['[$CHF-807]\\ #,##0.00', 1234.567, 'CHF 1234.567'],
    ['[$-407]0.0%', 0.1234, '12.3%'],
    ['00000', 1234, '01234'],
    ['000-00-0000', 12345678, '012-34-5678'],
  ])(
    'the formatter of the number format %s keeps the text that the format adds to the digits',
    (pattern, value, expected) => {
      expect(formatValue(pattern, value)).toBe(expected);
    },
  );

  it.each([
    ['m/d/yy', 45292, '2024-01-01'],
    ['dd.mm.yyyy hh:mm', 45292.5, '2024-01-01 12:00'],
    ['yyyy-mm-dd hh:mm:ss', 45292.000011574, '2024-01-01 00:00:01'],
    ['mmm-yy', 1, '1900-01-01'],
    ['d-mmm', 61, '1900-03-01'],
    ['h:mm AM/PM', 0.5625, '1:30 PM'],
    ['[$-411]h:mm AM/PM', 0.5625, '1:30 午後'],
    ['[$-407]d. mmmm yyyy', 45292, '2024-01-01'],
    ['[h]:mm', 1.5, '36:00'],
    ['m/d/yy', -1, '-1'],
    ['m/d/yy', 1e12, '1000000000000'],
  ])(
    'the formatter of the number format %s writes dates in ISO 8601, and times as displayed',
    (pattern, value, expected) => {
      expect(formatValue(pattern, value)).toBe(expected);
    },
  );

  it('if the workbook uses the date system of 1904, the formatter of a date counts days from January 1, 1904', () => {
    expect(formatValue('m/d/yy', 43830, true)).toBe('2024-01-01');
    expect(formatValue('m/d/yy', 1, true)).toBe('1904-01-02');
  });
});
