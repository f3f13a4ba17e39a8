import { describe, expect, it } from 'vitest';
import { makePdf } from '../../testing/make-pdf.js';
import { readBlocks } from '../../testing/read-blocks.js';
import { readPdf } from './pdf.js';

describe('a table over several pages', () => {
  it('is a Markdown table on each, under the names of its columns', async () => {
    const row = (cells: readonly string[], place: number) =>
      cells.map((text, cell) => ({ x: 72 + cell * 120, y: 740 - place * 16, text }));
    const pages = [1, 2].map((page) => [
      ...row(['Part', 'Price'], 0),
      ...row([`Filter ${page}`, '4.50'], 1),
      ...row([`Lid ${page}`, '0.80'], 2),
    ]);
    const { blocks } = await readBlocks(readPdf, makePdf(pages));
    expect(blocks.map(({ kind, text, page, headerLines }) => [kind, text, page, headerLines])).toEqual([
      ['table', '| Part | Price |\n|---|---|\n| Filter 1 | 4.50 |\n| Lid 1 | 0.80 |', 1, 2],
      ['table', '| Part | Price |\n|---|---|\n| Filter 2 | 4.50 |\n| Lid 2 | 0.80 |', 2, 2],
    ]);
  });
});
