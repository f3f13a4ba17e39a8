const ROMAN = [
  [1_000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
] as const;
/**
 * Maximum number that is written as a Roman numeral or in letters. Larger numbers, which indicate a damaged file, are
 * written in digits.
 */
const MAX_NUMERAL = 3_999;

/** Formats the number of a list item. Source of the formats: ECMA-376, part 1, section 17.18.59. */
export function formatNumeral(number: number, format: string): string {
  if (number < 1 || number > MAX_NUMERAL) return String(number);
  if (format === 'decimalZero') return String(number).padStart(2, '0');
  if (format === 'lowerRoman') return formatAsRoman(number);
  if (format === 'upperRoman') return formatAsRoman(number).toUpperCase();
  if (format === 'lowerLetter') return formatAsLetters(number);
  if (format === 'upperLetter') return formatAsLetters(number).toUpperCase();
  return String(number);
}

/** Formats a number as letters: a to z, then aa, bb, … zz. */
function formatAsLetters(number: number): string {
  return String.fromCharCode(97 + ((number - 1) % 26)).repeat(Math.floor((number - 1) / 26) + 1);
}

function formatAsRoman(number: number): string {
  let rest = number;
  let text = '';
  for (const [worth, sign] of ROMAN) {
    text += sign.repeat(Math.floor(rest / worth));
    rest %= worth;
  }
  return text;
}
