import { describe, expect, it } from 'vitest';
import { createStreamObject, writePdfObjects } from '../../testing/make-pdf.js';
import { makeImagePage } from '../../testing/make-image-page.js';
import { readBlocks } from '../../testing/read-blocks.js';
import type { Block } from '../block.js';
import type { QuarterTurns, RecognizedPage, RecognizedWord } from '../recognized-page.js';
import { readPdf } from './pdf.js';
import { buildPlaceholderFont } from './placeholder-font.js';

const HEADER = { text: 'Annual report', x: 72, y: 760 };
const PAGE = { width: 612, height: 792 };
/** Number of pixels per point in the images of pages, which have 200 dpi. */
const SCALE = 200 / 72;

/**
 * Creates the recognized words of a line with 7 points per character. `x` and `top` are in points of the turned image.
 */
function recognizeLine(text: string, line: number, { x, top }: { readonly x: number; readonly top: number }) {
  let left = x * SCALE;
  return text.split(' ').map((word): RecognizedWord => {
    const width = 7 * word.length * SCALE;
    const found = { text: word, line, confidence: 90, left, top: top * SCALE, width, height: 10 * SCALE };
    left += width + 4 * SCALE;
    return found;
  });
}

function createPage(words: readonly RecognizedWord[], turns?: QuarterTurns, isLandscape = false): RecognizedPage {
  const [width, height] = isLandscape ? [PAGE.height, PAGE.width] : [PAGE.width, PAGE.height];
  const image = { width: width * SCALE, height: height * SCALE, dpi: 200 };
  return { page: 1, image, words, ...(turns === undefined ? {} : { turns }) };
}

function joinText(blocks: readonly Block[]): string {
  return blocks.map(({ text }) => text).join('\n');
}

describe('a PDF page with text beside a large image', () => {
  const words = [
    ...recognizeLine('Annual report', 1, { x: 72, top: 23 }),
    ...recognizeLine('The heron stands in shallow water.', 2, { x: 72, top: 300 }),
  ];

  it('readPdf lists a page with little text beside a large image in `partialPages`, not in `imagePages`', async () => {
    const { pages } = await readBlocks(readPdf, makeImagePage(HEADER));
    expect(pages).toEqual({ pages: 1, undecodedPages: 0, imagePages: [], partialPages: [1], recognizedPages: [] });
  });

  it.each([
    ['the image covers less than half of the page', { ...HEADER, image: [612, 300] } as const],
    ['the page has much text, as a scan with a text layer has', { text: 'The heron stands. '.repeat(20) }],
    ['the page has no text', {}],
  ])('readPdf does not add a page with an image to `partialPages` if %s', async (_, options) => {
    expect((await readBlocks(readPdf, makeImagePage(options))).pages?.partialPages).toEqual([]);
  });

  it('if OCR has recognized words in the image of a page with text, readPdf reads the text and the words that the text lacks', async () => {
    const { blocks, pages } = await readBlocks(readPdf, makeImagePage(HEADER), [createPage(words)]);
    expect(joinText(blocks)).toBe('Annual report\nThe heron stands in shallow water.');
    expect(pages).toMatchObject({ partialPages: [], recognizedPages: [1] });
  });

  it('if the text of a page is below the words that OCR recognized in its image, readPdf reads the text after the words', async () => {
    const found = [createPage(recognizeLine('The heron stands.', 1, { x: 72, top: 300 }))];
    const { blocks } = await readBlocks(readPdf, makeImagePage({ text: 'Received in May', y: 100 }), found);
    expect(joinText(blocks)).toBe('The heron stands.\nReceived in May');
  });

  it('if the words that OCR recognized on a page only repeat the text of the page, readPdf ignores the words', async () => {
    const { blocks, pages } = await readBlocks(readPdf, makeImagePage(HEADER), [createPage(words.slice(0, 2))]);
    expect(joinText(blocks)).toBe('Annual report');
    expect(pages).toMatchObject({ partialPages: [], recognizedPages: [] });
  });

  it('if a page is displayed rotated, readPdf returns rectangles of text and OCR words in the coordinates of the displayed page', async () => {
    // On the displayed page, the text runs down, because the page is rotated clockwise.
    const line = recognizeLine('The heron stands.', 1, { x: 100, top: 300 });
    const { blocks } = await readBlocks(readPdf, makeImagePage({ ...HEADER, rotate: 90 }), [
      createPage(line, undefined, true),
    ]);
    const rectangles = new Map(
      blocks.flatMap(({ text, rectangles = [] }) =>
        rectangles.map((rectangle) => [text.slice(rectangle.start, rectangle.end), rectangle]),
      ),
    );
    expect(rectangles.get('The')?.left).toBeCloseTo((100 / 792) * 10_000, -2);
    expect(rectangles.get('The')?.top).toBeCloseTo((300 / 612) * 10_000, -2);
    expect(rectangles.get('Annual')?.top).toBeCloseTo((72 / 612) * 10_000, -2);
    expect(rectangles.get('Annual')?.left).toBeCloseTo((760 / 792) * 10_000, -2);
  });
});

describe('a PDF page whose image was rotated for OCR', () => {
  // The word is 100 to 121 points from the left edge of the turned image, and 300 to 310 points from the upper edge.
  it.each([
    [1, { left: 300 / 792, top: 1 - 121 / 612 }],
    [2, { left: 1 - 121 / 612, top: 1 - 310 / 792 }],
    [3, { left: 1 - 310 / 792, top: 100 / 612 }],
  ] as const)(
    'if OCR has turned the image by %i quarter turns, readPdf returns word rectangles in the coordinates of the displayed page',
    async (turns, expected) => {
      const isLandscape = turns !== 2;
      const found = [createPage(recognizeLine('The', 1, { x: 100, top: 300 }), turns, isLandscape)];
      const { blocks } = await readBlocks(readPdf, makeImagePage({ rotate: isLandscape ? 90 : 0 }), found);
      const [rectangle] = blocks[0]?.rectangles ?? [];
      expect((rectangle?.left ?? 0) / 10_000).toBeCloseTo(expected.left, 2);
      expect((rectangle?.top ?? 0) / 10_000).toBeCloseTo(expected.top, 2);
    },
  );
});

describe('a PDF page whose embedded font has no map to Unicode', () => {
  /**
   * Creates a PDF with text in Helvetica, and with text in a font without a map to Unicode. pdfium converts the glyph
   * numbers of the latter to control characters.
   */
  function makeUnmapped(): Buffer {
    const font = Buffer.from(buildPlaceholderFont()).toString('latin1');
    return writePdfObjects([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 4 0 R /F2 9 0 R >> >> /Contents 8 0 R >>',
      '<< /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding /Identity-H /DescendantFonts [5 0 R] >>',
      '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Own /FontDescriptor 6 0 R /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>',
      '<< /Type /FontDescriptor /FontName /Own /Flags 4 /FontBBox [0 0 1000 1000] /FontFile2 7 0 R >>',
      createStreamObject(font),
      createStreamObject(
        'BT /F1 12 Tf 72 500 Td <00010002000100410042> Tj ET BT /F2 12 Tf 72 700 Td (Known heading) Tj ET',
      ),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ]);
  }

  it('if the embedded font of a page has no map to Unicode, readPdf counts the page in `undecodedPages` and lists the page in `partialPages`', async () => {
    const { pages } = await readBlocks(readPdf, makeUnmapped());
    expect(pages).toMatchObject({ undecodedPages: 1, imagePages: [], partialPages: [1] });
  });

  it('words that OCR recognized replace the text in a font without a map to Unicode, but not the text in other fonts', async () => {
    const words = [
      ...recognizeLine('Known heading', 1, { x: 72, top: 82 }),
      ...recognizeLine('Wanted', 2, { x: 72, top: 283 }),
    ];
    const { blocks, pages } = await readBlocks(readPdf, makeUnmapped(), [createPage(words)]);
    expect(joinText(blocks)).toBe('Known heading\nWanted');
    expect(pages).toMatchObject({ undecodedPages: 0, partialPages: [], recognizedPages: [1] });
  });
});
