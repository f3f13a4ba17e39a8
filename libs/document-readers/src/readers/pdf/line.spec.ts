import { expect, it } from 'vitest';
import { lineOf, textOf } from './line.js';
import type { Glyph } from './glyphs.js';

/** @param from where each character begins across the page */
function textAt(text: string, from: readonly number[]): string | undefined {
  const glyphs = Array.from(text, (character, index): Glyph => {
    const left = from[index] ?? 0;
    const box = { left, right: left + 3, bottom: 0, top: 10 };
    return { text: character, drawn: true, ...box, size: 10, bold: false, turn: 0, hyphen: false };
  });
  const line = lineOf(glyphs);
  return line === undefined ? undefined : textOf(line);
}

it.each([
  ['with one box for both', 'إلدارة', [477, 477, 472, 468, 464, 460], 'لإدارة'],
  ['with half of the box for each', 'إلدارة', [476, 479, 472, 468, 464, 460], 'لإدارة'],
  ['but not of two letters beside each other', 'إلى', [479, 476, 472], 'إلى'],
])('reads the one glyph of lam and alef in its order, %s', (_, text, from, read) => {
  expect(textAt(text, from)).toBe(read);
});
