import { describe, expect, it } from 'vitest';
import { withSignsAtTheirAmounts } from './currency-signs.js';
import type { Glyph } from './glyphs.js';

const glyphs = (text: string): readonly Glyph[] =>
  Array.from(text, (character, at) => ({
    text: character,
    drawn: character !== ' ',
    ...{ left: at, right: at + 1, bottom: 0, top: 1, size: 1, bold: false, turn: 0, hyphen: false },
  }));
const moved = (...cells: readonly string[]): readonly string[] =>
  withSignsAtTheirAmounts(cells.map(glyphs)).map((cell) =>
    cell
      .map(({ text }) => text)
      .join('')
      .trim(),
  );

describe('the signs of currencies', () => {
  it('stand at the amounts of the next column, however close they are to those before', () => {
    expect(moved('Net income', '$ 6,188 $', '656 $', '(13) $', '—')).toEqual([
      ...['Net income', '$ 6,188', '$ 656', '$ (13)', '$ —'],
    ]);
    expect(moved('€ 10 €', '12')).toEqual(['€ 10', '€ 12']);
  });

  it('stay behind their amounts where they stand behind all, and where no amount follows', () => {
    expect(moved('4,50 €', '3,20 €')).toEqual(['4,50 €', '3,20 €']);
    expect(moved('100 $', '200 $')).toEqual(['100 $', '200 $']);
    expect(moved('4,50 €', '3')).toEqual(['4,50 €', '3']);
    expect(moved('Price in $', 'Weight')).toEqual(['Price in $', 'Weight']);
  });
});
