import { describe, expect, it } from 'vitest';
import { createStreamObject, makePdf, layOutInColumn, writePdfObjects } from '../../testing/make-pdf.js';
import { createScanOfPages } from '../../testing/create-scan.js';
import { readBlocks } from '../../testing/read-blocks.js';
import type { RecognizedPage, RecognizedWord } from '../recognized-page.js';
import { readPdf, renderPdfPage } from './pdf.js';

const LINES = ['The heron stands in shallow water.', 'It waits there for hours.'];
const IMAGE = { width: 1_700, height: 2_200, dpi: 200 };

/** Creates the words of a line at a position in pixels, 20 pixels per character. */
function createLine(
  line: number,
  words: readonly (readonly [left: number, text: string])[],
): readonly RecognizedWord[] {
  return words.map(([left, text]) => ({
    ...{ text, line, confidence: 95, left, top: 200 + line * 40 },
    ...{ width: 15 * text.length, height: 28 },
  }));
}

function createPage(page: number, words: readonly RecognizedWord[]): RecognizedPage {
  return { page, image: IMAGE, words };
}

describe('PDF pages that are images', () => {
  it('readPdf lists in `imagePages` the numbers of the pages that have an image and no text', async () => {
    const scan = await createScanOfPages(makePdf([layOutInColumn(LINES), layOutInColumn(LINES)]));
    const { blocks, pages } = await readBlocks(readPdf, scan);
    expect(blocks).toEqual([]);
    expect(pages).toMatchObject({ pages: 2, undecodedPages: 0, imagePages: [1, 2], recognizedPages: [] });
  });

  it('readPdf reports a page as an image page if the image is inside a form XObject', async () => {
    const image = createStreamObject(
      '\u0000',
      '/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
    );
    const formatResources = (name: string, number: number): string =>
      `/Resources << /XObject << /${name} ${number} 0 R >> >>`;
    const pdf = writePdfObjects([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${formatResources('Form', 5)} /Contents 4 0 R >>`,
      createStreamObject('/Form Do'),
      createStreamObject(
        '612 0 0 792 0 0 cm /Scan Do',
        `/Subtype /Form /BBox [0 0 612 792] ${formatResources('Scan', 6)}`,
      ),
      image,
    ]);
    expect((await readBlocks(readPdf, pdf)).pages?.imagePages).toEqual([1]);
  });

  it('readPdf does not report blank pages and pages with text as image pages', async () => {
    const { pages } = await readBlocks(readPdf, makePdf([layOutInColumn(LINES), []]));
    expect(pages?.imagePages).toEqual([]);
  });

  it('readPdf reads the words that OCR recognized on an image page as the text of the page', async () => {
    const scan = await createScanOfPages(makePdf([layOutInColumn(LINES), layOutInColumn(LINES)]));
    const words = [
      ...createLine(1, [
        [200, 'The'],
        [260, 'heron'],
        [350, 'is'],
        [400, 'pa-'],
      ]),
      ...createLine(2, [
        [200, 'tient'],
        [290, 'today.'],
      ]),
    ];
    const { blocks, pages } = await readBlocks(readPdf, scan, [createPage(2, words)]);
    expect(blocks).toMatchObject([{ kind: 'text', text: 'The heron is patient today.', page: 2 }]);
    expect(pages?.imagePages).toEqual([1]);
  });

  it('if the words that OCR recognized are in columns, readPdf reads them as a table', async () => {
    const scan = await createScanOfPages(makePdf([layOutInColumn(LINES)]));
    const rows = ['Slate', 'Granite', 'Chalk'].flatMap((name, index) =>
      createLine(index, [
        [200, name],
        [700, `${index + 4}00`],
      ]),
    );
    const { blocks } = await readBlocks(readPdf, scan, [createPage(1, rows)]);
    expect(blocks).toMatchObject([{ kind: 'table', text: '| Slate | 400 |\n| Granite | 500 |\n| Chalk | 600 |' }]);
  });

  it('readPdf does not list an image page in `imagePages` if OCR ran on the page and recognized no words', async () => {
    const scan = await createScanOfPages(makePdf([layOutInColumn(LINES)]));
    const { blocks, pages } = await readBlocks(readPdf, scan, [createPage(1, [])]);
    expect(blocks).toEqual([]);
    expect(pages?.imagePages).toEqual([]);
  });

  it('readPdf ignores the words that OCR recognized on a page that has text and no large image', async () => {
    const pdf = makePdf([layOutInColumn(LINES)]);
    const { blocks } = await readBlocks(readPdf, pdf, [createPage(1, createLine(1, [[200, 'Wrong']]))]);
    expect(blocks.map(({ text }) => text)).toEqual([LINES.join(' ')]);
  });
});

describe('a scanned form with fields and comments', () => {
  /** Number of pixels per point in the images of pages, which have 200 dpi. */
  const SCALE = 200 / 72;

  /** Coordinates in points: the rectangles of the two fields, and the corners of the text that the comment marks. */
  type Positions = readonly [name: string, city: string, marked: string];

  /** Creates a PDF of one page with an image, two text fields and a comment. */
  function makeForm(pageEntries: string, [name, city, marked]: Positions, text = ''): Buffer {
    const font = '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>';
    return writePdfObjects([
      '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R 7 0 R] >> >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${pageEntries} /Resources << ${font} /XObject << /Scan 5 0 R >> >> /Contents 4 0 R /Annots [6 0 R 7 0 R 8 0 R] >>`,
      createStreamObject(`q 612 0 0 792 0 0 cm /Scan Do Q ${text}`),
      createStreamObject('\u0000', '/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8'),
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ada Lovelace) /Rect [${name}] /F 4 >>`,
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (city) /V (London) /Rect [${city}] /F 4 >>`,
      `<< /Type /Annot /Subtype /Highlight /Contents (Check this.) /T (Eve) /QuadPoints [${marked}] /Rect [0 0 9 9] >>`,
    ]);
  }

  /** Creates the recognized words of a line. `top` is in points from the upper edge of the upright image. */
  function recognizeLine(text: string, line: number, top: number): readonly RecognizedWord[] {
    let left = 72 * SCALE;
    return text.split(' ').map((word) => {
      const width = 7 * word.length * SCALE;
      const found = { text: word, line, confidence: 90, left, top: top * SCALE, width, height: 10 * SCALE };
      left += width + 4 * SCALE;
      return found;
    });
  }

  const words = [
    ...recognizeLine('Name:', 1, 100),
    ...recognizeLine('City:', 2, 300),
    ...recognizeLine('Signed by the tenant', 3, 500),
  ];
  const UPRIGHT: Positions = ['120 679 300 695', '120 479 300 495', '70 294 240 294 70 280 240 280'];
  const SIDEWAYS: Positions = ['97 120 113 300', '297 120 313 300', '498 70 512 70 498 240 512 240'];

  it.each([
    ['is upright', { entries: '', positions: UPRIGHT, width: 612, height: 792, turns: 0 }],
    ['is cropped', { entries: '/CropBox [0 200 612 792]', positions: UPRIGHT, width: 612, height: 592, turns: 0 }],
    ['is displayed rotated', { entries: '/Rotate 90', positions: SIDEWAYS, width: 792, height: 612, turns: 0 }],
    ['was turned for OCR', { entries: '', positions: SIDEWAYS, width: 612, height: 792, turns: 1 }],
  ] as const)(
    'readPdf adds form values to their recognized labels, and comments to the recognized words that they mark, if the page %s',
    async (_, { entries, positions, width, height, turns }) => {
      const image = { width: width * SCALE, height: height * SCALE, dpi: 200 };
      const { blocks } = await readBlocks(readPdf, makeForm(entries, positions), [{ page: 1, image, words, turns }]);
      expect(blocks.map(({ text }) => text)).toEqual([
        'Name: Ada Lovelace',
        'City: London',
        'Signed by the tenant',
        'Comment by Eve on “Signed by the tenant”: Check this.',
      ]);
    },
  );

  it('if recognized words are added to the text of a cropped page, readPdf still reads the values of form fields at the positions of the fields', async () => {
    const image = { width: 612 * SCALE, height: 592 * SCALE, dpi: 200 };
    const form = makeForm('/CropBox [0 200 612 792]', UPRIGHT, 'BT /F1 12 Tf 72 681 Td (Name:) Tj ET');
    const { blocks } = await readBlocks(readPdf, form, [{ page: 1, image, words }]);
    expect(blocks.map(({ text }) => text).slice(0, 2)).toEqual(['Name: Ada Lovelace', 'City: London']);
  });
});

describe('renderPdfPage', () => {
  const countDark = (pixels: Uint8Array): number => pixels.reduce((sum, pixel) => sum + (pixel < 128 ? 1 : 0), 0);

  it('renderPdfPage renders a page in grey at 200 dpi', async () => {
    const { pixels, ...size } = await renderPdfPage(makePdf([[], layOutInColumn(LINES)]), 2);
    expect(size).toEqual(IMAGE);
    expect(pixels).toHaveLength(IMAGE.width * IMAGE.height);
    expect(pixels[0]).toBe(255);
    expect(countDark(pixels)).toBeGreaterThan(1_000);
    expect(countDark((await renderPdfPage(makePdf([[]]), 1)).pixels)).toBe(0);
  });

  it('renderPdfPage renders a large page at a lower resolution', async () => {
    const { width, height, dpi } = await renderPdfPage(withMediaBox('0 0 3000 6000'), 1);
    expect(width * height).toBeLessThanOrEqual(25_000_000 + width + height);
    expect([width, height]).toEqual([Math.round((3_000 / 72) * dpi), Math.round((6_000 / 72) * dpi)]);
  });

  it.each(['0 0 14000000 14000000', '0 0 0.01 700'])(
    'renderPdfPage rejects a page whose size is not supported: media box %s',
    async (mediaBox) => {
      await expect(renderPdfPage(withMediaBox(mediaBox), 1)).rejects.toMatchObject({ code: 'file_unreadable' });
    },
  );

  it('if the requested page does not exist, renderPdfPage throws `file_unreadable`', async () => {
    await expect(renderPdfPage(makePdf([[]]), 2)).rejects.toMatchObject({ code: 'file_unreadable' });
  });

  function withMediaBox(mediaBox: string): Buffer {
    return Buffer.from(makePdf([[]]).toString('latin1').replace('0 0 612 792', mediaBox), 'latin1');
  }
});
