import { describe, expect, it } from 'vitest';
import { layOutInColumn, makePdf, createStreamObject, type DrawnText } from '../../testing/make-pdf.js';
import { readBlocks, formatBlocks } from '../../testing/read-blocks.js';
import { readPdf } from './pdf.js';

const listFormattedBlocks = async (page: readonly DrawnText[]): Promise<readonly string[]> =>
  formatBlocks((await readBlocks(readPdf, makePdf([page]))).blocks);

const PAGE = [
  { x: 100, y: 700, text: 'Prices of Parts', size: 18 },
  ...[
    ['Part', 'Price', 'Months'],
    ['Filter', '4.50', '6'],
    ['Battery', '39.00', '24'],
  ].flatMap((row, line) => row.map((text, cell) => ({ x: 100 + cell * 120, y: 660 - line * 14, text }))),
  ...layOutInColumn(['The warranty lasts for two years from the day', 'on which you bought the machine.'], {
    x: 100,
    top: 600,
  }),
];

/** Rotates the page counterclockwise around the point (300, 300). `rotation` counts quarter turns. */
function rotatePage(page: readonly DrawnText[], rotation: 1 | 2 | 3): readonly DrawnText[] {
  return page.map(({ x, y, ...text }) => {
    const [right, up] = [x - 300, y - 300];
    const [toRight = 0, toTop = 0] = { 1: [-up, right], 2: [-right, -up], 3: [up, -right] }[rotation];
    return { ...text, x: 300 + toRight, y: 300 + toTop, rotation };
  });
}

describe('a rotated page', () => {
  it.each([1, 2, 3] as const)(
    'readPdf reads a page whose text is rotated by %i quarter turns like an upright page',
    async (rotation) => {
      await expect(listFormattedBlocks(rotatePage(PAGE, rotation))).resolves.toEqual(await listFormattedBlocks(PAGE));
    },
  );

  it('readPdf reads text that is rotated differently from most text of the page as a separate paragraph', async () => {
    const stamp = { x: 30, y: 300, text: 'Draft of May 2024', rotation: 1 } as const;
    await expect(listFormattedBlocks([...PAGE.slice(0, 4), stamp, ...PAGE.slice(4)])).resolves.toEqual([
      '[] text: Draft of May 2024',
      ...(await listFormattedBlocks(PAGE)),
    ]);
  });
});

describe('a PDF with rotated glyphs', () => {
  it('readPdf reads text as upright if its font and its text matrix are both upside down', async () => {
    const lines = ['The warranty lasts for two years from the', 'day on which you bought it.'];
    const content = lines
      .map((text, line) => `BT /F1 -11 Tf -1 0 0 -1 72 ${700 - line * 14} Tm (${text}) Tj ET`)
      .join('\n');
    const { blocks } = await readBlocks(readPdf, makePdf([[]], { content: createStreamObject(content) }));
    expect(blocks.map(({ text }) => text)).toEqual([lines.join(' ')]);
  });
});
