import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDocumentReader, type Fragment, type RecognizedImage } from '@quarry/document-readers';
import { makePdf, layOutInColumn, createScanOfPages } from '@quarry/document-readers/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { READING } from '../testing/worker-under-test.js';
import { createRecognizer, readOcrSettings, type OcrSettings } from './ocr-settings.js';
import { openPageRecognition } from './page-recognition.js';

const PROSE = [
  'The heron stands in shallow water and waits for hours there,',
  'A kingfisher dives from a branch above the river, and returns',
  'with a fish of 7 centimetres. It eats about 25 fish each day.',
];
const ROWS = [
  ['Revenue', '82,959', '81,434'],
  ['Cost of sales', '47,074', '46,179'],
  ['Gross margin', '35,885', '35,255'],
];

/**
 * Describes a page with lines that run upwards, one with lines that are upside down, and one with lines that run
 * downwards. `x` and `y` are the position of the first line. `lineX` and `lineY` are the distance to the next line.
 */
const SIDEWAYS = [
  { turns: 1, x: 200, y: 100, lineX: 18, lineY: 0 },
  { turns: 2, x: 500, y: 300, lineX: 0, lineY: 18 },
  { turns: 3, x: 400, y: 700, lineX: -18, lineY: 0 },
] as const;

/**
 * Maximum distance in points between a recognized line and the position at which it was drawn. It allows for letters
 * below the baseline.
 */
const TOLERANCE = 6;

const settings = findTesseract();

describe.skipIf(settings === undefined)(
  `text recognition with Tesseract${settings === undefined ? ', skipped: tesseract-ocr is not installed here' : ''}`,
  { timeout: 120_000 },
  () => {
    it('the recognizer reads the paragraphs and the table of a scan', async () => {
      const table = ROWS.flatMap((cells, row) =>
        cells.map((text, column) => ({ x: 72 + column * 150, y: 600 - row * 18, text })),
      );
      const { fragments, confidence } = await recognizePdf(
        await createScanOfPages(makePdf([[], [...layOutInColumn(PROSE), ...table]])),
      );
      const text = fragments.map((fragment) => fragment.text).join('\n');
      expect(text).toContain(PROSE.join(' '));
      for (const cells of ROWS) expect(text).toContain(`| ${cells.join(' | ')} |`);
      expect(fragments.map(({ page }) => page)).toEqual([2]);
      expect(confidence).toBeGreaterThan(85);
    });

    it('the recognizer returns the rectangles of a passage in a scan', async () => {
      const { fragments } = await recognizePdf(await createScanOfPages(makePdf([layOutInColumn(PROSE)])), [1]);
      const rectangles = listRectangles(fragments);
      expect(rectangles).toHaveLength(PROSE.length);
      for (const [line, { left, bottom }] of rectangles.entries()) {
        expect(Math.abs(left - 72)).toBeLessThan(TOLERANCE);
        expect(Math.abs(bottom - (720 - line * 14))).toBeLessThan(TOLERANCE);
      }
    });

    it.each(SIDEWAYS)(
      'the recognizer reads a page that was turned by $turns quarter turns before the scan',
      async ({ turns, x, y, lineX, lineY }) => {
        const lines = PROSE.map((text, line) => ({
          ...{ text, x: x + line * lineX, y: y + line * lineY, rotation: turns },
        }));
        const { fragments, pages } = await recognizePdf(await createScanOfPages(makePdf([lines])), [1]);
        expect(fragments.map(({ text }) => text).join('\n')).toContain(PROSE.join(' '));
        expect(pages).toMatchObject({ imagePages: [], recognizedPages: [1] });
        const [first] = listRectangles(fragments);
        if (first === undefined) throw new Error('expected rectangles, found none');
        const { left, right, top, bottom } = first;
        // `x` and `y` are the position of the first letter, which is in one corner of the rectangle of its line.
        expect([left, right].some((edge) => Math.abs(edge - x) < TOLERANCE)).toBe(true);
        expect([top, bottom].some((edge) => Math.abs(edge - y) < TOLERANCE)).toBe(true);
      },
    );

    it('the recognizer recognizes no words in a blank image', async () => {
      const found = await recognizePdf(await createScanOfPages(makePdf([[]])), [1]);
      expect(found).toMatchObject({ fragments: [], pages: { recognizedPages: [1] }, confidence: undefined });
    });

    it('the recognizer stops within seconds when the run is cancelled', async () => {
      const cancellation = new AbortController();
      const recognizer = createRecognizer(requireSettings());
      const large = { width: 4_000, height: 4_000, dpi: 200, pixels: new Uint8Array(16_000_000).fill(255) };
      const words: Promise<RecognizedImage> = recognizer.recognize(large, cancellation.signal);
      cancellation.abort(new Error('the run was cancelled'));
      await expect(words).rejects.toThrow('the run was cancelled');
    });
  },
);

function findTesseract(): OcrSettings | undefined {
  try {
    return readOcrSettings({ ...process.env, QUARRY_OCR: 'tesseract', QUARRY_OCR_LANGUAGES: 'eng' });
  } catch {
    return undefined;
  }
}

/** Lists the rectangles of fragments on a page of US letter size, in points from its lower left corner. */
function listRectangles(fragments: readonly Fragment[]) {
  const numbers = fragments.flatMap((fragment) => fragment.rectangles);
  const count = numbers.length / 5;
  return Array.from({ length: count }, (_, index) => {
    const [, x = 0, y = 0, width = 0, height = 0] = numbers.slice(5 * index);
    const [left, right] = [x, x + width].map((units) => (units / 10_000) * 612);
    const [top, bottom] = [y, y + height].map((units) => 792 - (units / 10_000) * 792);
    return { left: left ?? 0, right: right ?? 0, top: top ?? 0, bottom: bottom ?? 0 };
  });
}

function requireSettings(): OcrSettings {
  if (settings === undefined) throw new Error('Tesseract is not installed');
  return settings;
}

async function recognizePdf(pdf: Buffer, pages = [1, 2]) {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-recognition-'));
  const reader = openDocumentReader({ ...READING, processes: 1 });
  const recognizer = createRecognizer(requireSettings());
  const recognition = openPageRecognition({
    getRecognizer: () => recognizer,
    reader,
    concurrency: 1,
    now: () => new Date(),
  });
  onTestFinished(async () => {
    await recognition.close();
    await rm(folder, { recursive: true });
  });
  const path = join(folder, 'scan.pdf');
  await writeFile(path, pdf);
  const file = { mimeType: 'application/pdf', name: 'Scan', nameIsFileName: false };
  const request = { path, file, splitting: { maxTokens: 512, overlapTokens: 0 } };
  const run = { signal: new AbortController().signal, log: { warn: () => undefined }, onProgress: () => undefined };
  return recognition.readDocument('scan', request, pages, run);
}
