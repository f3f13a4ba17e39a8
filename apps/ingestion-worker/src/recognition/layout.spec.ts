import { describe, expect, it } from 'vitest';
import { hasProseColumns, mayHaveTable, measureRecognizedText } from './layout.js';
import type { TsvWord } from './parse-tsv.js';

/** Creates the words of a block of identical lines. `left` and `top` are the position of the first word in pixels. */
function createBlock(left: number, top: number, line: string, lines = 6): readonly TsvWord[] {
  return Array.from({ length: lines }, (_, index) =>
    line.split(' ').map((text, word) => ({
      ...{ text, block: `${left}.${top}`, confidence: 90, line: top + index },
      ...{ left: left + word * 100, top: top + index * 40, width: 90, height: 28 },
    })),
  ).flat();
}

const PROSE = 'the heron stands in water';

describe('the layout of a recognized page', () => {
  it('mayHaveTable returns true for a page with few words per line, and for a page on which many words contain a digit', () => {
    const long = `${PROSE} and waits for a fish`;
    expect(mayHaveTable(createBlock(0, 0, long))).toBe(false);
    expect(mayHaveTable(createBlock(0, 0, PROSE))).toBe(true);
    expect(mayHaveTable(createBlock(0, 0, `${long} 1,824 7`))).toBe(true);
    expect(mayHaveTable([])).toBe(false);
  });

  it('hasProseColumns returns true only if two blocks of prose are side by side', () => {
    expect(hasProseColumns([...createBlock(0, 0, PROSE), ...createBlock(600, 20, PROSE)])).toBe(true);
    expect(hasProseColumns([...createBlock(0, 0, PROSE), ...createBlock(0, 400, PROSE)])).toBe(false);
    expect(hasProseColumns([...createBlock(0, 0, PROSE), ...createBlock(600, 400, PROSE)])).toBe(false);
  });

  it('hasProseColumns returns false if one of two blocks side by side has few lines or consists of numbers', () => {
    const prose = createBlock(0, 0, PROSE);
    expect(hasProseColumns([...prose, ...createBlock(600, 0, PROSE, 2)])).toBe(false);
    expect(hasProseColumns([...prose, ...createBlock(600, 0, '82,959 81,434 304,182 282,457')])).toBe(false);
  });

  it('measureRecognizedText returns the number of characters of the words, weighted by the confidence of each word', () => {
    expect(measureRecognizedText(createBlock(0, 0, 'in water', 1))).toBe(7 * 90);
  });
});
