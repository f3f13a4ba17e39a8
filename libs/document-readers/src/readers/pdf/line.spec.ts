import { describe, expect, it } from 'vitest';
import { buildLine, getLineText } from './line.js';
import type { Glyph } from './glyphs.js';

/** Creates the glyphs of a line. @param from the left edge of each character */
function createGlyphs(text: string, from: readonly number[]): readonly Glyph[] {
  return Array.from(text, (character, index): Glyph => {
    const left = from[index] ?? 0;
    const rectangle = { left, right: left + 3, bottom: 0, top: 10 };
    const visible = character !== ' ';
    return { text: character, visible, ...rectangle, size: 10, bold: false, rotation: 0, hyphen: false };
  });
}

function buildLineText(text: string, from: readonly number[]): string | undefined {
  const line = buildLine(createGlyphs(text, from));
  return line === undefined ? undefined : getLineText(line);
}

describe('buildLine', () => {
  it('buildLine excludes a space at the end of a line from the text, but reports the space in `hasSpaceAtEnd`', () => {
    expect(buildLine(createGlyphs('이 ', [0, 3]))).toMatchObject({ segments: [{ text: '이' }], hasSpaceAtEnd: true });
    expect(buildLine(createGlyphs(' 이', [0, 3]))).not.toHaveProperty('hasSpaceAtEnd');
  });
});

describe('getLineText', () => {
  it.each([
    ['a ligature with one bounding rectangle for both letters', 'إلدارة', [477, 477, 472, 468, 464, 460], 'لإدارة'],
    [
      'a ligature with half of the bounding rectangle for each letter',
      'إلدارة',
      [476, 479, 472, 468, 464, 460],
      'لإدارة',
    ],
    ['two adjacent letters', 'إلى', [479, 476, 472], 'إلى'],
  ])('getLineText returns a lam and an alef in reading order if they are %s', (_, text, from, read) => {
    expect(buildLineText(text, from)).toBe(read);
  });
});
