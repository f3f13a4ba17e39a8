import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openDocumentReader } from '@quarry/document-readers';
import { readPageTexts, createScanOfPages } from '@quarry/document-readers/testing';
import { createRecognizer, openPageRecognition, readWorkerSettings } from '@quarry/ingestion-worker';
import { computeTokenRecall, splitIntoWords } from '../files/token-recall.js';

/** Matches a word that consists of numeric characters. */
const NUMBER = /^\p{N}+$/u;
/** Minimum number of words of a measured page. Pages with fewer words are skipped. */
const MIN_WORDS = 50;
const MIN_RECALL = 0.985;
const MIN_NUMBER_RECALL = 0.97;

const [folder = '', pagesPerFile = '2', maxFiles = '3'] = process.argv.slice(2);
const directory = resolve(process.env['INIT_CWD'] ?? '.', folder);
const files = (await readdir(directory)).filter((name) => name.endsWith('.pdf')).toSorted();

const { ocr, reading } = readWorkerSettings({ QUARRY_OCR: 'tesseract', ...process.env });
if (ocr === undefined) throw new Error('expected QUARRY_OCR to name an OCR engine, found none');
const { concurrency } = ocr;
const reader = openDocumentReader({ ...reading, processes: concurrency });
const engine = createRecognizer(ocr);
/**
 * The recognized words of the current file. They include page headers and footers, which the text of the document
 * omits.
 */
let recognized: string[] = [];
const recognizer: typeof engine = {
  recognize: async (image, signal) => {
    const found = await engine.recognize(image, signal);
    recognized.push(...found.words.map(({ text }) => text));
    return found;
  },
};
const recognition = openPageRecognition({
  getRecognizer: () => recognizer,
  reader,
  concurrency,
  now: () => new Date(),
});
const temporary = await mkdtemp(join(tmpdir(), 'quarry-ocr-'));
const totals = {
  words: 0,
  missing: 0,
  missingInText: 0,
  numbers: 0,
  missingNumbers: 0,
  found: 0,
  extra: 0,
  pages: 0,
  ms: 0,
};

try {
  for (const name of files.slice(0, Number(maxFiles))) await measureRecognitionOfFile(name);
  console.log(`${'all'.padEnd(28)} ${formatRecognitionScores(totals)}`);
  const { words, missing, numbers, missingNumbers } = totals;
  const isReached = missing <= (1 - MIN_RECALL) * words && missingNumbers <= (1 - MIN_NUMBER_RECALL) * numbers;
  process.exitCode = isReached ? 0 : 1;
} finally {
  await recognition.close();
  await rm(temporary, { recursive: true });
}

/**
 * Converts evenly spread pages of a PDF to images, and recognizes their text. Compares the recognized words with the
 * text layer of the PDF.
 */
async function measureRecognitionOfFile(name: string): Promise<void> {
  const pdf = await readFile(join(directory, name));
  const texts = await readPageTexts(pdf);
  const candidates = texts.flatMap((text, index) => (splitIntoWords(text).length < MIN_WORDS ? [] : [index + 1]));
  const step = candidates.length / Number(pagesPerFile);
  const pages = Array.from(
    { length: Number(pagesPerFile) },
    (_, index) => candidates[Math.floor(step * (index + 0.5))],
  );
  const chosen = pages.filter((page) => page !== undefined);
  const reference = chosen.map((page) => texts[page - 1] ?? '').join('\n');
  recognized = [];
  const started = performance.now();
  const document = await recognizeTextOfScan(name, await createScanOfPages(pdf, undefined, chosen), chosen.length);
  const ms = performance.now() - started;
  const text = recognized.join(' ');
  const { missing } = computeTokenRecall(text, reference);
  const words = splitIntoWords(reference);
  const scores = {
    ...{ words: words.length, missing: missing.length, pages: chosen.length, ms },
    missingInText: computeTokenRecall(document, reference).missing.length,
    numbers: words.filter((word) => NUMBER.test(word)).length,
    missingNumbers: missing.filter((word) => NUMBER.test(word)).length,
    found: splitIntoWords(text).length,
    extra: computeTokenRecall(reference, text).missing.length,
  };
  for (const key of [
    'words',
    'missing',
    'missingInText',
    'numbers',
    'missingNumbers',
    'found',
    'extra',
    'pages',
    'ms',
  ] as const) {
    totals[key] += scores[key];
  }
  console.log(`${name.padEnd(28)} ${formatRecognitionScores(scores)}  missing: ${missing.slice(0, 12).join(' ')}`);
}

async function recognizeTextOfScan(name: string, scan: Buffer, pages: number): Promise<string> {
  const path = join(temporary, 'scan.pdf');
  await writeFile(path, scan);
  const file = { mimeType: 'application/pdf', name: 'Scan', nameIsFileName: false };
  const request = { path, file, splitting: { maxTokens: 512, overlapTokens: 0 } };
  const log = {
    warn: (fields: object, message: string): void => {
      console.error(message, fields);
    },
  };
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  const run = { signal: new AbortController().signal, log, onProgress: () => undefined };
  const { fragments } = await recognition.readDocument(name, request, numbers, run);
  return fragments.map(({ text }) => text).join('\n');
}

function formatRecognitionScores(scores: typeof totals): string {
  const { words, missing, missingInText, numbers, missingNumbers, found, extra, pages, ms } = scores;
  const formatShare = (part: number, whole: number): string => (whole === 0 ? '   - ' : (1 - part / whole).toFixed(3));
  const recalls = `recall ${formatShare(missing, words)}  numbers ${formatShare(missingNumbers, numbers)}`;
  const precision = `precision ${formatShare(extra, found)}  recall of the text ${formatShare(missingInText, words)}`;
  return `${recalls}  ${precision}  ${pages} pages  ${(ms / pages / 1_000).toFixed(1)} s per page`;
}
