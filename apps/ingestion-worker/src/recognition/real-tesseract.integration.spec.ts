import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDocumentReader, type RecognizedWord } from '@quarry/document-readers';
import { makePdf, placeInColumn, scanPages } from '@quarry/document-readers/testing';
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

const settings = findTesseract();

describe.skipIf(settings === undefined)(
  `text recognition with Tesseract${settings === undefined ? ', skipped: tesseract-ocr is not installed here' : ''}`,
  { timeout: 120_000 },
  () => {
    it('reads the paragraphs and the table of a scan', async () => {
      const table = ROWS.flatMap((cells, row) =>
        cells.map((text, column) => ({ x: 72 + column * 150, y: 600 - row * 18, text })),
      );
      const { fragments, confidence } = await recognize(
        await scanPages(makePdf([[], [...placeInColumn(PROSE), ...table]])),
      );
      const text = fragments.map((fragment) => fragment.text).join('\n');
      expect(text).toContain(PROSE.join(' '));
      for (const cells of ROWS) expect(text).toContain(`| ${cells.join(' | ')} |`);
      expect(fragments.map(({ page }) => page)).toEqual([2]);
      expect(confidence).toBeGreaterThan(85);
    });

    it('recognizes no words in a blank image', async () => {
      const found = await recognize(await scanPages(makePdf([[]])), [1]);
      expect(found).toEqual({ fragments: [], recognizedPages: 1, confidence: undefined });
    });

    it('ends within seconds when the run is cancelled', async () => {
      const cancellation = new AbortController();
      const recognizer = createRecognizer(requireSettings());
      const large = { width: 4_000, height: 4_000, dpi: 200, pixels: new Uint8Array(16_000_000).fill(255) };
      const words: Promise<readonly RecognizedWord[]> = recognizer.recognize(large, cancellation.signal);
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

function requireSettings(): OcrSettings {
  if (settings === undefined) throw new Error('Tesseract is not installed');
  return settings;
}

async function recognize(pdf: Buffer, pages = [1, 2]) {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-recognition-'));
  const reader = openDocumentReader({ ...READING, processes: 1 });
  const recognizer = createRecognizer(requireSettings());
  const recognition = openPageRecognition({ recognizer, reader, concurrency: 1, now: () => new Date() });
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
