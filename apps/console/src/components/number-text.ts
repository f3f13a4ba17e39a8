/** The kinds of numbers in forms: whole numbers without a sign, and numbers with a decimal point or comma. */
export type NumberKind = 'whole' | 'decimal';

const PATTERNS: Readonly<Record<NumberKind, RegExp>> = {
  whole: /^\d+$/,
  decimal: /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)$/,
};

/** Returns true if the text of a number field is empty or a number of this kind. */
export function isNumberText(text: string, kind: NumberKind): boolean {
  const trimmed = text.trim();
  return trimmed === '' || (PATTERNS[kind].test(trimmed) && Number.isFinite(convertToNumber(trimmed)));
}

/**
 * Parses the text of a number field. Returns null for an empty text, which means the default.
 *
 * @throws RangeError unless `isNumberText` returns true, because JSON would contain null for a number that is not valid
 */
export function parseNumberText(text: string, kind: NumberKind): number | null {
  if (!isNumberText(text, kind)) throw new RangeError(`expected a ${kind} number, found ${JSON.stringify(text)}`);
  return text.trim() === '' ? null : convertToNumber(text.trim());
}

function convertToNumber(text: string): number {
  return Number(text.replace(',', '.'));
}
