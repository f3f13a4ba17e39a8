import type { Glyph } from './glyphs.js';

/** These stand before their amounts; others may stand behind. */
const BEFORE_AMOUNTS = /^[$£¥]$/;
const AMOUNT = /^[\s(+-]*[\d—–-]/u;

/** In tables of money the sign stands apart from its amount. */
export function isCurrencySign(glyphs: readonly Glyph[] = []): boolean {
  return /^\s*\p{Sc}\s*$/u.test(textOf(glyphs));
}

/** A sign can stand closer to the amount of the column before than to its own. @param cells of a line, from left to right */
export function withSignsAtTheirAmounts(cells: readonly (readonly Glyph[])[]): readonly (readonly Glyph[])[] {
  const last = signBehind(cells.at(-1))?.text;
  const moved = cells.map((cell) => [...cell]);
  for (const [index, cell] of moved.entries()) {
    const next = moved[index + 1];
    const sign = signBehind(cell);
    if (sign === undefined || next === undefined || sign.text === last || !AMOUNT.test(textOf(next))) continue;
    if (!BEFORE_AMOUNTS.test(sign.text) && !textOf(cell).trimStart().startsWith(sign.text)) continue;
    next.unshift(...cell.splice(cell.indexOf(sign)), spaceBehind(sign));
  }
  return moved;
}

/** The sign that a cell ends with, behind something else. */
function signBehind(cell: readonly Glyph[] = []): Glyph | undefined {
  const drawn = cell.filter((glyph) => glyph.drawn);
  const sign = drawn.at(-1);
  return drawn.length > 1 && sign !== undefined && /^\p{Sc}$/u.test(sign.text) ? sign : undefined;
}

function spaceBehind(sign: Glyph): Glyph {
  return { ...sign, text: ' ', drawn: false };
}

function textOf(glyphs: readonly Glyph[]): string {
  return glyphs.map((glyph) => glyph.text).join('');
}
