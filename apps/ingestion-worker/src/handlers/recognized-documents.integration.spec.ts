import { makeImagePage, makePdf, layOutInColumn, createScanOfPages } from '@quarry/document-readers/testing';
import { openDocumentReader } from '@quarry/document-readers';
import { AttemptFailed, GiveUp } from '@quarry/contracts';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openPageRecognition, type PageRecognition, type RecognitionParts } from '../recognition/page-recognition.js';
import { PageNotRecognized } from '../recognition/recognizer.js';
import { FakeRecognizer, type FakeResult } from '../testing/fake-recognizer.js';
import { READING, useWorkers } from '../testing/worker-under-test.js';

const PDF = { mimeType: 'application/pdf', name: 'scan.pdf' };
const start = useWorkers();
let scan: Buffer;
beforeAll(async () => {
  scan = await createScanOfPages(makePdf([layOutInColumn(['one']), layOutInColumn(['two'])]));
});

/**
 * Opens text recognition that supports all languages except `fra`. The recognized words of each page are the names of
 * the requested languages.
 */
function openRecognitionOfLanguages(): PageRecognition {
  const reader = openDocumentReader({ ...READING, processes: 1 });
  const getRecognizer: RecognitionParts['getRecognizer'] = (languages = ['eng']) => {
    if (languages.includes('fra')) throw new GiveUp('ocr_language_missing', 'Expected language data for fra.');
    return new FakeRecognizer(Array.from({ length: 2 }, () => ({ text: `The heron in ${languages.join(' and ')}.` })));
  };
  const recognition = openPageRecognition({ getRecognizer, reader, concurrency: 1, now: () => new Date() });
  onTestFinished(() => recognition.close());
  return recognition;
}

function openRecognition(results: readonly FakeResult[]): PageRecognition {
  const reader = openDocumentReader({ ...READING, processes: 1 });
  const recognizer = new FakeRecognizer(results);
  const recognition = openPageRecognition({
    getRecognizer: () => recognizer,
    reader,
    concurrency: 1,
    now: () => new Date(),
  });
  onTestFinished(() => recognition.close());
  return recognition;
}

describe('a document with pages that are images', { timeout: 60_000 }, () => {
  it('a search finds a scan by its recognized words and returns the page number, and the final event contains the mean confidence of the words', async () => {
    const results = [{ text: 'The heron stands.', confidence: 91.6 }, { text: 'The kingfisher dives.' }];
    const worker = start({ recognition: openRecognition(results) });
    const job = await worker.upload(scan, { ...PDF, splitting: { maxTokens: 32, overlapTokens: 0 } });
    await expect(worker.indexAndGetLastEvent(job)).resolves.toMatchObject({
      ...{ status: 'synched', recognizedPages: 2, recognitionConfidence: 93, pages: 2 },
      pageConfidences: [
        { page: 1, confidence: 92 },
        { page: 2, confidence: 95 },
      ],
    });
    const [found] = await worker.search('kingfisher', job);
    expect(found?.text).toContain('The kingfisher dives.');
    expect(found?.page).toBe(1);
  });

  it('a scan is recognized in the languages of its datastore', async () => {
    const worker = start({ recognition: openRecognitionOfLanguages() });
    const job = await worker.upload(scan, { ...PDF, ocrLanguages: ['deu', 'eng'] });
    await worker.indexAndGetLastEvent(job);
    await expect(worker.search('heron', job)).resolves.toMatchObject([
      { text: expect.stringContaining('The heron in deu and eng.') as unknown },
    ]);
  });

  it('the worker fails a scan if the data of a language of its datastore is not installed', async () => {
    const worker = start({ recognition: openRecognitionOfLanguages() });
    const job = await worker.upload(scan, { ...PDF, ocrLanguages: ['fra'] });
    await expect(worker.indexAndGetLastEvent(job)).resolves.toMatchObject({
      ...{ status: 'error', code: 'ocr_language_missing' },
    });
  });

  it('if text recognition is not configured, the worker fails a scan with a message that explains how to enable it', async () => {
    const worker = start();
    await expect(worker.indexAndGetLastEvent(await worker.upload(scan, PDF))).resolves.toMatchObject({
      code: 'no_text_found',
      message:
        'No text was found in scan.pdf. If it is a scan, enable text recognition with QUARRY_OCR, or add a text layer with OCR.',
    });
  });

  it('if text recognition is not configured, the worker reports how many pages of a document are images', async () => {
    const half = await createScanOfPages(makePdf([layOutInColumn(['one'])]), 'The heron stands in shallow water.');
    const worker = start();
    const last = await worker.indexAndGetLastEvent(await worker.upload(half, PDF));
    expect(last).toMatchObject({ status: 'synched', imagePages: 1, pages: 2 });
    expect(last).not.toHaveProperty('recognizedPages');
  });

  it('the worker fails a scan if text recognition finds no text in it', async () => {
    const worker = start({ recognition: openRecognition([]) });
    await expect(worker.indexAndGetLastEvent(await worker.upload(scan, PDF))).resolves.toMatchObject({
      code: 'no_text_found',
      message: 'No text was found in scan.pdf. No text was recognized in its images.',
    });
  });

  it('the worker reports how many pages of a scan could not be recognized', async () => {
    const results = [new PageNotRecognized('it is too dark'), { text: 'The kingfisher dives.' }];
    const worker = start({ recognition: openRecognition(results) });
    await expect(worker.indexAndGetLastEvent(await worker.upload(scan, PDF))).resolves.toMatchObject({
      ...{ status: 'synched', imagePages: 1, recognizedPages: 1, pages: 2 },
    });
  });

  it('the fragment of a page with text beside its image contains both the text and the words in the image', async () => {
    const page = makeImagePage({ text: 'Annual report', y: 100 });
    const worker = start({ recognition: openRecognition([{ text: 'The kingfisher dives.' }]) });
    const job = await worker.upload(page, PDF);
    const last = await worker.indexAndGetLastEvent(job);
    expect(last).toMatchObject({ status: 'synched', recognizedPages: 1, recognitionConfidence: 95, pages: 1 });
    expect(last).not.toHaveProperty('imagePages');
    await expect(worker.search('kingfisher', job)).resolves.toMatchObject([
      { text: expect.stringContaining('Annual report') as unknown },
    ]);
  });

  it('the worker does not count a page as recognized if the image on the page contains no text', async () => {
    const worker = start({ recognition: openRecognition([{ text: '' }]) });
    const job = await worker.upload(makeImagePage({ text: 'Annual report' }), PDF);
    const last = await worker.indexAndGetLastEvent(job);
    expect(last).toMatchObject({ status: 'synched', pages: 1 });
    expect(last).not.toHaveProperty('recognizedPages');
    expect(last).not.toHaveProperty('recognitionConfidence');
  });

  it('the worker does not count a blank page of a scan as recognized', async () => {
    const worker = start({ recognition: openRecognition([{ text: 'The heron stands.' }, { text: '' }]) });
    await expect(worker.indexAndGetLastEvent(await worker.upload(scan, PDF))).resolves.toMatchObject({
      ...{ status: 'synched', recognizedPages: 1, recognitionConfidence: 95, pages: 2 },
    });
  });

  it('a later attempt recognizes a scan if the OCR service was unavailable in the first attempt', async () => {
    const unavailable = new AttemptFailed('ocr_unavailable', 'The OCR service did not respond.');
    const results = [unavailable, { text: 'The heron stands.' }, { text: 'The kingfisher dives.' }];
    const worker = start({ recognition: openRecognition(results) });
    const events = await worker.index(await worker.upload(scan, PDF));
    expect(events.map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ lastError: expect.objectContaining({ code: 'ocr_unavailable' }) as unknown }),
    );
    expect(events.at(-1)?.payload).toMatchObject({ status: 'synched', recognizedPages: 2 });
  });

  it('after text recognition was enabled, the next run indexes a partly scanned document again, and a further run finds it unchanged', async () => {
    const half = await createScanOfPages(makePdf([layOutInColumn(['one'])]), 'The heron stands in shallow water.');
    const before = start();
    const job = await before.upload(half, PDF);
    await expect(before.indexAndGetLastEvent(job)).resolves.toMatchObject({ status: 'synched' });
    await expect(before.search('kingfisher', job)).resolves.toEqual([]);

    const words = { text: 'The kingfisher dives.' };
    const recognition = openRecognition([words, words]);
    const after = start({ recognition, blobs: before.blobs, wrapStore: () => before.fragmentStore });
    const second = { ...job, runId: 'second', generation: 2 };
    await expect(after.indexAndGetLastEvent(second)).resolves.toMatchObject({ counters: { indexed: 1, unchanged: 0 } });
    await expect(before.search('kingfisher', job)).resolves.toHaveLength(1);
    const third = { ...job, runId: 'third', generation: 3 };
    await expect(after.indexAndGetLastEvent(third)).resolves.toMatchObject({ counters: { indexed: 0, unchanged: 1 } });
  });
});
