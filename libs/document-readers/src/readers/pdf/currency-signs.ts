import type { Glyph } from './glyphs.js';

/** Matches the currency signs that always precede amounts. Other signs can follow amounts. */
const PREFIX_SIGN = /^[$£¥]$/;
const AMOUNT = /^[\s(+-]*[\d—–-]/u;

/**
 * Returns whether the glyphs are only a currency sign. A gap after such a sign does not separate cells, because
 * financial tables print a gap between the sign and the amount.
 */
export function isCurrencySign(glyphs: readonly Glyph[] = []): boolean {
  return /^\s*\p{Sc}\s*$/u.test(joinGlyphTexts(glyphs));
}

/**
 * Moves each currency sign to the cell of its amount. A sign can be in the cell of the previous amount, if that amount
 * is closer to the sign. @param cells cells of a line, from left to right
 */
export function moveCurrencySignsToAmounts(cells: readonly (readonly Glyph[])[]): readonly (readonly Glyph[])[] {
  const trailingSign = findTrailingCurrencySign(cells.at(-1))?.text;
  const moved = cells.map((cell) => [...cell]);
  for (const [index, cell] of moved.entries()) {
    const next = moved[index + 1];
    const sign = findTrailingCurrencySign(cell);
    if (sign === undefined || next === undefined || sign.text === trailingSign || !AMOUNT.test(joinGlyphTexts(next)))
      continue;
    if (!PREFIX_SIGN.test(sign.text) && !joinGlyphTexts(cell).trimStart().startsWith(sign.text)) continue;
    next.unshift(...cell.splice(cell.indexOf(sign)), createSpaceGlyphAfter(sign));
  }
  return moved;
}

/** Returns the currency sign at the end of a cell, if the cell has text before the sign. */
function findTrailingCurrencySign(cell: readonly Glyph[] = []): Glyph | undefined {
  const visible = cell.filter((glyph) => glyph.visible);
  const sign = visible.at(-1);
  return visible.length > 1 && sign !== undefined && /^\p{Sc}$/u.test(sign.text) ? sign : undefined;
}

function createSpaceGlyphAfter(sign: Glyph): Glyph {
  return { ...sign, text: ' ', visible: false };
}

function joinGlyphTexts(glyphs: readonly Glyph[]): string {
  return glyphs.map((glyph) => glyph.text).join('');
}
