import { describe, expect, it } from 'vitest';
import { moveCurrencySignsToAmounts } from './currency-signs.js';
import type { Glyph } from './glyphs.js';

const createGlyphs = (text: string): readonly Glyph[] =>
  Array.from(text, (character, at) => ({
    text: character,
    visible: character !== ' ',
    ...{ left: at, right: at + 1, bottom: 0, top: 1, size: 1, bold: false, rotation: 0, hyphen: false },
  }));
const moveSignsInCells = (...cells: readonly string[]): readonly string[] =>
  moveCurrencySignsToAmounts(cells.map(createGlyphs)).map((cell) =>
    cell
      .map(({ text }) => text)
      .join('')
      .trim(),
  );

describe('moveCurrencySignsToAmounts', () => {
  it('moveCurrencySignsToAmounts moves a currency sign at the end of a table cell to the amount in the next cell', () => {
    expect(moveSignsInCells('Net income', '$ 6,188 $', '656 $', '(13) $', '—')).toEqual([
      ...['Net income', '$ 6,188', '$ 656', '$ (13)', '$ —'],
    ]);
    expect(moveSignsInCells('€ 10 €', '12')).toEqual(['€ 10', '€ 12']);
  });

  it('moveCurrencySignsToAmounts leaves a currency sign in its cell if all signs of the line follow their amounts, or if the next cell has no amount', () => {
    expect(moveSignsInCells('4,50 €', '3,20 €')).toEqual(['4,50 €', '3,20 €']);
    expect(moveSignsInCells('100 $', '200 $')).toEqual(['100 $', '200 $']);
    expect(moveSignsInCells('4,50 €', '3')).toEqual(['4,50 €', '3']);
    expect(moveSignsInCells('Price in $', 'Weight')).toEqual(['Price in $', 'Weight']);
  });
});
