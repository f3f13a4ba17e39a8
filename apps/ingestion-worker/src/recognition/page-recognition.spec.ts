import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AttemptFailed } from '@quarry/contracts';
import {
  openDocumentReader,
  ReaderProcessExited,
  type DocumentReader,
  type DocumentRequest,
} from '@quarry/document-readers';
import { makePdf, layOutInColumn, createScanOfPages } from '@quarry/document-readers/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { READING } from '../testing/worker-under-test.js';
import { FakeRecognizer } from '../testing/fake-recognizer.js';
import { openPageRecognition, type PageRecognition, type RecognitionRun } from './page-recognition.js';
import { PageNotRecognized } from './recognizer.js';

let folder: string;
let reader: DocumentReader;
let request: DocumentRequest;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-recognition-'));
  reader = openDocumentReader(READING);
  const path = join(folder, 'scan.pdf');
  await writeFile(path, await createScanOfPages(makePdf([1, 2, 3].map((page) => layOutInColumn([`Page ${page}`])))));
  const file = { mimeType: 'application/pdf', name: 'Scan', nameIsFileName: false };
  request = { path, file, splitting: { maxTokens: 64, overlapTokens: 0 } };
});
afterAll(async () => {
  await reader.close();
  await rm(folder, { recursive: true });
});

function openRecognition(recognizer: FakeRecognizer, concurrency = 1, pageReader = reader): PageRecognition {
  const getRecognizer = () => recognizer;
  return openPageRecognition({ getRecognizer, reader: pageReader, concurrency, now: () => new Date() });
}

function createRun(signal = new AbortController().signal) {
  const warnings: string[] = [];
  const progress: number[] = [];
  const run: RecognitionRun = {
    signal,
    log: { warn: (_, message) => warnings.push(message) },
    onProgress: ({ done }) => progress.push(done),
  };
  return { run, warnings, progress };
}

describe('the recognition of pages', { timeout: 60_000 }, () => {
  it('page recognition returns the fragments of all pages in order, and the mean confidence of the words', async () => {
    const recognizer = new FakeRecognizer([
      { text: 'First page.', confidence: 90 },
      { text: 'Second page.', confidence: 80 },
    ]);
    const { run, progress, warnings } = createRun();
    const found = await openRecognition(recognizer).readDocument('a', request, [1, 3], run);
    expect(found.fragments.map(({ text, page }) => [text, page])).toEqual([['First page.\n\nSecond page.', 1]]);
    expect(found).toMatchObject({ pages: { recognizedPages: [1, 3] }, confidence: 85 });
    expect(found.pageConfidences).toEqual([
      { page: 1, confidence: 90 },
      { page: 3, confidence: 80 },
    ]);
    expect(progress).toEqual([1, 2]);
    expect(warnings).toEqual([]);
    expect(recognizer.images.map(({ dpi, width }) => [dpi, width])).toEqual([
      [200, 1_700],
      [200, 1_700],
    ]);
  });

  it('page recognition skips pages that cannot be rendered or recognized, and logs a warning for each of these pages', async () => {
    const recognizer = new FakeRecognizer([new PageNotRecognized('it is too dark'), { text: 'Second page.' }]);
    const { run, warnings } = createRun();
    const found = await openRecognition(recognizer).readDocument('a', request, [1, 2, 99], run);
    expect(found).toMatchObject({ fragments: [{ text: 'Second page.', page: 2 }], pages: { recognizedPages: [2] } });
    expect(warnings).toHaveLength(2);
  });

  it.each([
    ['fails if every reader process that renders a page is killed, because another attempt may succeed', 'SIGKILL'],
    ['skips a page that crashes the reader process', 'SIGSEGV'],
  ] as const)('page recognition %s', async (_, signal) => {
    const failing: DocumentReader = {
      ...reader,
      renderPage: (document, page, options) =>
        page === 2
          ? Promise.reject(new ReaderProcessExited({ signal, code: null }, ''))
          : reader.renderPage(document, page, options),
    };
    const recognizer = new FakeRecognizer([{ text: 'First page.' }]);
    const recognized = openRecognition(recognizer, 1, failing).readDocument('a', request, [1, 2], createRun().run);
    if (signal === 'SIGKILL') await expect(recognized).rejects.toMatchObject({ name: 'ReaderProcessExited', signal });
    else await expect(recognized).resolves.toMatchObject({ fragments: [{ text: 'First page.' }] });
  });

  it('page recognition returns no confidence if no word was recognized', async () => {
    const found = await openRecognition(new FakeRecognizer([{ text: '' }])).readDocument(
      'a',
      request,
      [1],
      createRun().run,
    );
    expect(found).toMatchObject({
      fragments: [],
      pages: { recognizedPages: [1] },
      confidence: undefined,
      pageConfidences: [],
    });
  });

  it('if the OCR service is unavailable for one page, page recognition fails and stops the recognition of the other pages', async () => {
    const recognizer = new FakeRecognizer([new AttemptFailed('ocr_unavailable', 'No answer.'), 'endless']);
    const recognized = openRecognition(recognizer, 2).readDocument('a', request, [1, 2, 3], createRun().run);
    await expect(recognized).rejects.toMatchObject({ code: 'ocr_unavailable' });
    expect(recognizer.active).toBe(0);
    expect(recognizer.images.length).toBeLessThan(3);
  });

  it('page recognition stops when the run is cancelled', async () => {
    const recognizer = new FakeRecognizer(['endless']);
    const cancellation = new AbortController();
    const recognized = openRecognition(recognizer).readDocument(
      'a',
      request,
      [1, 2],
      createRun(cancellation.signal).run,
    );
    const rejected = expect(recognized).rejects.toThrow('the run was cancelled');
    await expect.poll(() => recognizer.active, { timeout: 30_000 }).toBe(1);
    cancellation.abort(new Error('the run was cancelled'));
    await rejected;
    expect(recognizer.active).toBe(0);
  });

  it('with a concurrency of 1, page recognition recognizes one page at a time, and returns a fifth document to the queue', async () => {
    const recognizer = new FakeRecognizer(['endless', 'endless', 'endless', 'endless', 'endless']);
    const recognition = openRecognition(recognizer);
    const cancellation = new AbortController();
    const { run } = createRun(cancellation.signal);
    const running = Array.from({ length: 4 }, (_, index) => recognition.readDocument(`${index}`, request, [1], run));
    const settled = Promise.allSettled(running);
    await expect(recognition.readDocument('fifth', request, [1], run)).rejects.toMatchObject({ name: 'TryLater' });
    expect(() => {
      recognition.requeueIfWaiting('fifth');
    }).toThrow('waits for text recognition');
    await expect.poll(() => recognizer.active, { timeout: 30_000 }).toBe(1);
    expect(recognizer.images).toHaveLength(1);
    cancellation.abort(new Error('the run was cancelled'));
    expect((await settled).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    recognition.requeueIfWaiting('fifth');
  });
});
