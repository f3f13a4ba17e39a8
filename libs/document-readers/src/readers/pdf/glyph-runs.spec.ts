import { describe, expect, it } from 'vitest';
import { splitIntoRuns } from './glyph-runs.js';
import type { Glyph } from './glyphs.js';

/**
 * Builds the glyphs of a line. `\n` marks a line end that pdfium detects. @param bottom lower edge of the line
 */
function createLine(text: string, bottom: number): readonly Glyph[] {
  return Array.from(text, (character, index) => {
    const rectangle = { left: index * 5, right: index * 5 + 5, bottom, top: bottom + 7 };
    return {
      text: character,
      visible: character.trim() !== '',
      ...rectangle,
      size: 10,
      bold: false,
      rotation: 0,
      hyphen: false,
    };
  });
}

function readRuns(...lines: readonly (readonly Glyph[])[]): readonly string[] {
  return splitIntoRuns(lines.flat()).map(({ glyphs }) => glyphs.map(({ text }) => text).join(''));
}

describe('splitIntoRuns', () => {
  it('splitIntoRuns splits the glyphs of a page into runs at the line ends that pdfium detects', () => {
    expect(readRuns(createLine('one\n', 60), createLine('two\n', 48))).toEqual(['one', 'two']);
  });

  it('if pdfium detects no line ends, splitIntoRuns starts a run at each glyph that is on a lower line than the previous glyph', () => {
    expect(readRuns(createLine('one', 60), createLine('two', 48), createLine('three', 36))).toEqual([
      'one',
      'two',
      'three',
    ]);
  });

  it('if pdfium misses only one of many line ends of a page, splitIntoRuns returns the two lines around the missed line end as one run', () => {
    const seen = Array.from('abcdefgh', (name, index) => createLine(`${name}\n`, 200 - index * 12));
    expect(readRuns(...seen, createLine('two', 48), createLine('three\n', 36)).at(-1)).toBe('twothree');
  });

  it('splitIntoRuns does not split a column of vertical text', () => {
    const down = Array.from('すべてがわたくしの', (character, index) => createLine(character, 100 - index * 10)).flat();
    expect(readRuns(down)).toEqual(['すべてがわたくしの']);
  });
});
