import { describe, expect, it } from 'vitest';
import { inOrderOfReading } from './directions.js';
import type { Glyph } from './glyphs.js';

/** `left` is where its leftmost character is drawn. */
type DrawnWord = readonly [text: string, left: number];

/** Words in the order in which they come out of pdfium. */
function drawn(...words: readonly DrawnWord[]): readonly Glyph[] {
  return words.flatMap(([text, left], index) => [
    ...(index === 0 ? [] : [glyph(' ', left)]),
    ...Array.from(text, (character, at) => glyph(character, left + at * 5)),
  ]);
}

function glyph(text: string, left: number): Glyph {
  const box = { left, right: left + 5, bottom: 0, top: 10 };
  return { text, drawn: text !== ' ', ...box, size: 10, bold: false, turn: 0, hyphen: false };
}

function read(...words: readonly DrawnWord[]): string {
  return inOrderOfReading(drawn(...words))
    .map(({ text }) => text)
    .join('');
}

describe('words of a line of two directions', () => {
  it('come in the order of a name in a right-to-left line', () => {
    expect(read(['תקן', 440], ['9001:2015', 380], ['ISO', 350], ['משנת', 300], ['2015', 270])).toBe(
      'תקן ISO 9001:2015 משנת 2015',
    );
    expect(read(['של', 400], ['3.1', 370], ['Server', 330], ['Quarry', 290], ['יצאה', 250])).toBe(
      'של Quarry Server 3.1 יצאה',
    );
  });

  it('come in the order of words from the right in a left-to-right line', () => {
    expect(read(['The', 10], ['word', 30], ['עולם', 60], ['שלום', 90], ['is', 120], ['Hebrew', 140])).toBe(
      'The word שלום עולם is Hebrew',
    );
  });

  it('keep the numbers of a right-to-left line from the right', () => {
    expect(read(['שנת', 400], ['2015', 370], ['2016', 340], ['או', 320])).toBe('שנת 2015 2016 או');
  });

  it('keep signs around a name where they are', () => {
    expect(read(['מחיר', 400], [')9001', 370], ['ISO(', 340])).toBe('מחיר )ISO 9001(');
  });

  it.each(['one direction 42 (a)', 'ISO 9001'])('are left alone in %j', (text) => {
    const glyphs = drawn(...text.split(' ').map((word, index) => [word, 500 - index * 50] as const));
    expect(inOrderOfReading(glyphs)).toBe(glyphs);
  });
});
