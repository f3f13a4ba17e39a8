import { describe, expect, it } from 'vitest';
import { orderGlyphsForReading } from './mixed-directions.js';
import type { Glyph } from './glyphs.js';

/** Describes a word and the left edge of its leftmost character. */
type DrawnWord = readonly [text: string, left: number];

/** Creates the glyphs of words in the order in which pdfium returns them. */
function createGlyphs(...words: readonly DrawnWord[]): readonly Glyph[] {
  return words.flatMap(([text, left], index) => [
    ...(index === 0 ? [] : [createGlyph(' ', left)]),
    ...Array.from(text, (character, at) => createGlyph(character, left + at * 5)),
  ]);
}

function createGlyph(text: string, left: number): Glyph {
  const rectangle = { left, right: left + 5, bottom: 0, top: 10 };
  return { text, visible: text !== ' ', ...rectangle, size: 10, bold: false, rotation: 0, hyphen: false };
}

function orderWords(...words: readonly DrawnWord[]): string {
  return orderGlyphsForReading(createGlyphs(...words))
    .map(({ text }) => text)
    .join('');
}

describe('orderGlyphsForReading', () => {
  it('orderGlyphsForReading puts the words of a left-to-right name in a right-to-left line into reading order', () => {
    expect(orderWords(['תקן', 440], ['9001:2015', 380], ['ISO', 350], ['משנת', 300], ['2015', 270])).toBe(
      'תקן ISO 9001:2015 משנת 2015',
    );
    expect(orderWords(['של', 400], ['3.1', 370], ['Server', 330], ['Quarry', 290], ['יצאה', 250])).toBe(
      'של Quarry Server 3.1 יצאה',
    );
  });

  it('orderGlyphsForReading puts right-to-left words in a left-to-right line into reading order', () => {
    expect(orderWords(['The', 10], ['word', 30], ['עולם', 60], ['שלום', 90], ['is', 120], ['Hebrew', 140])).toBe(
      'The word שלום עולם is Hebrew',
    );
  });

  it('orderGlyphsForReading puts the numbers of a right-to-left line into order from right to left', () => {
    expect(orderWords(['שנת', 400], ['2015', 370], ['2016', 340], ['או', 320])).toBe('שנת 2015 2016 או');
  });

  it('orderGlyphsForReading keeps the brackets around a left-to-right name in a right-to-left line', () => {
    expect(orderWords(['מחיר', 400], [')9001', 370], ['ISO(', 340])).toBe('מחיר )ISO 9001(');
  });

  it.each(['one direction 42 (a)', 'ISO 9001'])(
    'orderGlyphsForReading returns a line of one direction unchanged: %j',
    (text) => {
      const glyphs = createGlyphs(...text.split(' ').map((word, index) => [word, 500 - index * 50] as const));
      expect(orderGlyphsForReading(glyphs)).toBe(glyphs);
    },
  );
});
