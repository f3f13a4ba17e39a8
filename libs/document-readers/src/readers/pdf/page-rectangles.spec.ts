import { describe, expect, it } from 'vitest';
import { makePdf, layOutInColumn, type DrawnText, type PdfOptions } from '../../testing/make-pdf.js';
import { createScanOfPages } from '../../testing/create-scan.js';
import { readBlocks } from '../../testing/read-blocks.js';
import type { Block } from '../block.js';
import { joinPageRectangles, UNITS_PER_PAGE, type PageRectangle } from '../text-rectangle.js';
import { readPdf, renderPdfPage } from './pdf.js';

const TURNS = [0, 1, 2, 3] as const;
/** Largest distance between the edge of a rectangle and the ink inside it, as a share of the page. */
const MAX_MARGIN = 0.006;

async function readAllBlocks(page: readonly DrawnText[], options?: PdfOptions): Promise<readonly Block[]> {
  return (await readBlocks(readPdf, makePdf([page], options))).blocks;
}

/** Returns the parts of the text of a block that its rectangles cover, one part per rectangle. */
function listTextsOfRectangles({ text, rectangles = [] }: Block): readonly string[] {
  return rectangles.map(({ start, end }) => text.slice(start, end));
}

type Edges = Pick<PageRectangle, 'left' | 'right' | 'top' | 'bottom'>;

/** Returns the edges of the dark area of the rendered page, as shares of the picture. */
async function findInkEdges(pdf: Uint8Array): Promise<Edges> {
  const { width, height, pixels } = await renderPdfPage(pdf, 1);
  const ink = { left: width, right: 0, top: height, bottom: 0 };
  for (const [index, grey] of pixels.entries()) {
    if (grey > 127) continue;
    const [x, y] = [index % width, Math.floor(index / width)];
    ink.left = Math.min(ink.left, x);
    ink.right = Math.max(ink.right, x + 1);
    ink.top = Math.min(ink.top, y);
    ink.bottom = Math.max(ink.bottom, y + 1);
  }
  return { left: ink.left / width, right: ink.right / width, top: ink.top / height, bottom: ink.bottom / height };
}

async function findRectangle(pdf: Uint8Array): Promise<Edges> {
  const { blocks } = await readBlocks(readPdf, pdf);
  const rectangles = blocks.flatMap((block) => block.rectangles ?? []);
  const [first] = rectangles;
  if (first === undefined) throw new Error('expected at least one rectangle in the blocks, found none');
  const { left, right, top, bottom } = rectangles.reduce<PageRectangle>(joinPageRectangles, first);
  const toShare = (units: number): number => units / UNITS_PER_PAGE;
  return { left: toShare(left), right: toShare(right), top: toShare(top), bottom: toShare(bottom) };
}

describe('the rectangles of a page', () => {
  const heron: DrawnText = { x: 250, y: 450, text: 'A grey heron', size: 20 };
  const cases = TURNS.flatMap((pageTurns) => TURNS.map((textTurns) => ({ pageTurns, textTurns })));

  it.each(cases)(
    'readPdf returns rectangles that enclose the displayed glyphs if the page is rotated by $pageTurns quarter turns, and the text by $textTurns',
    async ({ pageTurns, textTurns }) => {
      const pageEntries = `/Rotate ${pageTurns * 90} /CropBox [100 200 560 700]`;
      const pdf = makePdf([[{ ...heron, rotation: textTurns }]], { pageEntries });
      const [rectangle, ink] = [await findRectangle(pdf), await findInkEdges(pdf)];
      const margins = [
        ink.left - rectangle.left,
        rectangle.right - ink.right,
        ink.top - rectangle.top,
        rectangle.bottom - ink.bottom,
      ];
      // A pixel at the edge of a letter can be dark although the letter covers only a part of the pixel.
      expect(Math.min(...margins)).toBeGreaterThan(-0.002);
      expect(Math.max(...margins)).toBeLessThan(MAX_MARGIN);
    },
  );

  it('readPdf returns no rectangles for text outside the crop box, and clips rectangles to the crop box', async () => {
    const page = [heron, { x: 30, y: 600, text: 'outside' }, { x: 80, y: 300, text: 'inside-out' }];
    const blocks = await readAllBlocks(page, { pageEntries: '/CropBox [100 200 560 700]' });
    const text = blocks.map((block) => block.text).join('\n');
    expect(text).toContain('inside-out');
    const rectangles = blocks.flatMap((block) => block.rectangles ?? []);
    expect(blocks.flatMap(listTextsOfRectangles)).not.toContain('outside');
    expect(Math.min(...rectangles.map(({ left }) => left))).toBe(0);
  });

  it.each(['/CropBox [0 0 0 0]', '/CropBox [9 9 1e30 1e38]', '/CropBox [-1e38 -1e38 1e38 1e38]'])(
    'if the crop box is damaged, the rectangles of words are still within the page: %s',
    async (pageEntries) => {
      for (const { rectangles = [] } of await readAllBlocks([heron], { pageEntries })) {
        for (const { left, right, top, bottom } of rectangles) {
          expect([left, top, UNITS_PER_PAGE - right, UNITS_PER_PAGE - bottom].every((edge) => edge >= 0)).toBe(true);
          expect(left < right && top < bottom).toBe(true);
        }
      }
    },
  );

  it('if a letter is larger than the page, the rectangle of its word is still within the page', async () => {
    const [block] = await readAllBlocks([{ x: -4_000, y: -4_000, text: 'M', size: 20_000 }]);
    expect(block?.rectangles).toMatchObject([{ left: 0, right: UNITS_PER_PAGE, top: 0, bottom: UNITS_PER_PAGE }]);
  });
});

describe('the rectangles of a paragraph', () => {
  it('a paragraph has one rectangle per word, in the order of the words, and each rectangle has the number of its line', async () => {
    const [block] = await readAllBlocks(
      layOutInColumn(['The heron stands in shallow water, and it waits there for', 'hours.']),
    );
    expect(block === undefined ? [] : listTextsOfRectangles(block)).toEqual(block?.text.split(' '));
    expect(new Set(block?.rectangles?.map(({ line }) => line)).size).toBe(2);
    const [first, second] = block?.rectangles ?? [];
    expect(first?.left).toBe(Math.floor((72 / 612) * UNITS_PER_PAGE) + 2);
    expect(second?.left).toBeGreaterThan(first?.right ?? Infinity);
  });

  it('a word that is hyphenated over a line end has two rectangles, and the next words have one each', async () => {
    const [block] = await readAllBlocks(
      layOutInColumn(['The grey heron stands there and it is very unbe-', 'lievable how it waits.']),
    );
    expect(block?.text).toContain('unbelievable how');
    expect(block === undefined ? [] : listTextsOfRectangles(block).slice(-5)).toEqual([
      'unbe',
      'lievable',
      'how',
      'it',
      'waits.',
    ]);
  });

  it('a long word has several rectangles, each for a part of the word', async () => {
    const [block] = await readAllBlocks(layOutInColumn(['https://example.com/heron']));
    expect(block === undefined ? [] : listTextsOfRectangles(block)).toEqual(['https://', 'example.', 'com/hero', 'n']);
  });

  it('a list has a rectangle for each word and for each list marker', async () => {
    const page = layOutInColumn([
      'Birds of the lake in the order of their size:',
      '1. the grey heron',
      '2. the little egret',
    ]);
    const list = (await readAllBlocks(page)).find(({ kind }) => kind === 'list');
    expect(list === undefined ? [] : listTextsOfRectangles(list)).toEqual(list?.text.split(/\s/));
  });

  it('the words that OCR recognized on a page have the rectangles that OCR returned, converted to page units', async () => {
    const scan = await createScanOfPages(makePdf([layOutInColumn(['heron'])]));
    const image = { width: 1_000, height: 2_000, dpi: 200 };
    const word = { text: 'heron', confidence: 95, left: 100, top: 400, width: 50, height: 40, line: 1 };
    const { blocks } = await readBlocks(readPdf, scan, [{ page: 1, image, words: [word] }]);
    expect(blocks[0]?.rectangles).toMatchObject([
      { start: 0, end: 5, page: 1, left: 1_000, right: 1_500, top: 1_979, bottom: 2_221 },
    ]);
  });
});

describe('the rectangles of a table', () => {
  const drawRow = (cells: readonly string[], row: number): readonly DrawnText[] =>
    cells.map((text, cell) => ({ x: 72 + cell * 120, y: 740 - row * 16, text }));
  const getRows = (page: number): readonly DrawnText[] => [
    ...drawRow(['Part', 'Price'], 0),
    ...drawRow([`Filter ${page}`, '4.50'], 1),
    ...drawRow([`Lid ${page}`, '0.80'], 2),
  ];

  it('the part of a table on a page has one rectangle for the column headers, and one for each row on that page', async () => {
    const { blocks } = await readBlocks(readPdf, makePdf([getRows(1), getRows(2)]));
    expect(blocks.map((block) => listTextsOfRectangles(block))).toEqual(
      [1, 2].map((page) => ['| Part | Price |\n|---|---|', `| Filter ${page} | 4.50 |`, `| Lid ${page} | 0.80 |`]),
    );
    for (const [index, { rectangles = [] }] of blocks.entries()) {
      expect(rectangles.map(({ page }) => page)).toEqual([index + 1, index + 1, index + 1]);
      expect(rectangles.map(({ top }) => top)).toEqual(
        rectangles.map(({ top }) => top).toSorted((one, other) => one - other),
      );
    }
  });

  it('if a page of a table has no column headers, the repeated headers have the rectangle of the headers on the first page', async () => {
    const second = getRows(2).slice(2);
    const { blocks } = await readBlocks(readPdf, makePdf([getRows(1), second]));
    expect(blocks[1]?.rectangles?.map(({ page }) => page)).toEqual([1, 2, 2]);
  });
});
