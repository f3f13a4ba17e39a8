import { describe, expect, it } from 'vitest';
import { runsOf } from './glyph-runs.js';
import type { Glyph } from './glyphs.js';

/** @param bottom of the line; `\n` is where pdfium sees its end */
function line(text: string, bottom: number): readonly Glyph[] {
  return Array.from(text, (character, index) => {
    const box = { left: index * 5, right: index * 5 + 5, bottom, top: bottom + 7 };
    return { text: character, drawn: character.trim() !== '', ...box, size: 10, bold: false, turn: 0, hyphen: false };
  });
}

function read(...lines: readonly (readonly Glyph[])[]): readonly string[] {
  return runsOf(lines.flat()).map(({ glyphs }) => glyphs.map(({ text }) => text).join(''));
}

describe('the runs of a page', () => {
  it('end where pdfium sees the ends of lines', () => {
    expect(read(line('one\n', 60), line('two\n', 48))).toEqual(['one', 'two']);
  });

  it('end where the next character stands below, when pdfium sees none of the ends', () => {
    expect(read(line('one', 60), line('two', 48), line('three', 36))).toEqual(['one', 'two', 'three']);
  });

  it('go on where it sees most of them: the lines of a cell are one to it', () => {
    const seen = Array.from('abcdefgh', (name, index) => line(`${name}\n`, 200 - index * 12));
    expect(read(...seen, line('two', 48), line('three\n', 36)).at(-1)).toBe('twothree');
  });

  it('go on down the page where it is written so', () => {
    const down = Array.from('すべてがわたくしの', (character, index) => line(character, 100 - index * 10)).flat();
    expect(read(down)).toEqual(['すべてがわたくしの']);
  });
});
