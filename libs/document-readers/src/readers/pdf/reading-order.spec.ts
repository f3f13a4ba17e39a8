import { describe, expect, it } from 'vitest';
import { makePdf, type DrawnText } from '../../testing/make-pdf.js';
import { readBlocks } from '../../testing/read-blocks.js';
import { readPdf } from './pdf.js';

async function readPageText(page: readonly DrawnText[]): Promise<string> {
  const { blocks } = await readBlocks(readPdf, makePdf([page]));
  return blocks.map(({ text }) => text).join('\n');
}

const WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

/**
 * Draws the first line of each column, then the second line of each column, and so on. @param step vertical offset of
 * each column from the column before
 */
function drawAcrossPage(names: readonly string[], step: number): readonly DrawnText[] {
  return WORDS.flatMap((word, line) =>
    names.map((name, column) => ({
      x: 50 + column * 180,
      y: 700 - line * 12 - column * step,
      text: `the ${name} column's line ${word}`,
      size: 9,
    })),
  );
}

function joinByColumn(names: readonly string[]): readonly string[] {
  return names.map((name) => WORDS.map((word) => `the ${name} column's line ${word}`).join(' '));
}

describe('the reading order of a page', () => {
  const names = ['first', 'second', 'third'];

  it.each([
    ['at the same height', 0],
    ['staggered', 5],
  ])(
    'readPdf reads one column after the other if the file draws the columns line by line, and the lines of different columns are %s',
    async (_, step) => {
      expect((await readPageText(drawAcrossPage(names, step))).replaceAll('\n', ' ')).toBe(
        joinByColumn(names).join(' '),
      );
    },
  );

  it('readPdf reads a list of terms row by row if each explanation is next to its term', async () => {
    const page = WORDS.flatMap((word, line) => {
      const y = 700 - line * 40;
      return [
        { x: 50, y, text: `What is meant by ${word}` },
        { x: 250, y, text: `Of ${word}, it is said that it may be` },
        { x: 250, y: y - 12, text: `greater than what stands before ${word}` },
      ];
    });
    const text = await readPageText(page);
    const positions = WORDS.flatMap((word) => [`What is meant by ${word}`, `Of ${word}, it is said`]).map((one) =>
      text.indexOf(one),
    );
    expect(positions).not.toContain(-1);
    expect(positions).toEqual(positions.toSorted((one, other) => one - other));
  });
});
