import { Semaphore } from '@quarry/cancellation';
import type { PageConfidence } from '@quarry/contracts';
import {
  ReaderProcessExited,
  ReadingFailed,
  type DocumentReader,
  type DocumentRequest,
  type Fragment,
  type PageReport,
  type RecognizedPage,
  type RecognizedWord,
} from '@quarry/document-readers';
import { PageNotRecognized, type Recognizer } from './recognizer.js';
import { WaitingDocuments } from './waiting-documents.js';

export interface RecognitionParts {
  /**
   * Returns the recognizer for the given languages, or for the configured languages if none are given.
   *
   * @throws GiveUp if the recognizer does not support a language
   */
  readonly getRecognizer: (languages: readonly string[] | undefined) => Recognizer;
  /**
   * Reader only for documents that need recognition, so that they do not delay other documents. It renders their pages
   * as images, then reads the documents together with the recognized words.
   */
  readonly reader: DocumentReader;
  /** Maximum number of pages of all documents that are recognized at once. */
  readonly concurrency: number;
  readonly now: () => Date;
}

export interface RecognitionRun {
  /** Languages of the document's text. Undefined: the configured languages. */
  readonly languages?: readonly string[] | undefined;
  readonly signal: AbortSignal;
  readonly log: { warn(fields: object, message: string): void };
  readonly onProgress: (progress: { readonly done: number; readonly total: number; readonly unit: string }) => void;
}

/** Holds the content of a document that was read with the recognized words of its images. */
export interface RecognizedDocument {
  readonly fragments: readonly Fragment[];
  /** Describes the pages, including their recognized words. Absent if the document has no pages. */
  readonly pages?: PageReport;
  /** Mean confidence of all recognized words, from 0 to 100. Undefined if no word was recognized. */
  readonly confidence: number | undefined;
  /** The mean confidence of each page with recognized words, in the order of the page numbers. */
  readonly pageConfidences: readonly PageConfidence[];
}

/** Recognizes the text in images of pages. */
export interface PageRecognition {
  /**
   * Throws if the document with this key has returned to the queue before, and too many other documents are still being
   * recognized. The job of the document then returns to the queue again.
   *
   * @throws TryLater
   */
  requeueIfWaiting(key: string): void;

  /**
   * Recognizes the given pages of a document, and reads the document with the recognized words. Logs each page that
   * cannot be recognized, and reads it without the text of its images.
   *
   * @param key identifies the document in all attempts
   * @throws TryLater if too many documents are being recognized; GiveUp if a language is not installed
   * @throws AttemptFailed if no page can be recognized now; the errors of `DocumentReader.read`
   */
  readDocument(
    key: string,
    request: DocumentRequest,
    pages: readonly number[],
    run: RecognitionRun,
  ): Promise<RecognizedDocument>;

  /** Ends the reader processes. Documents that are being recognized fail. */
  close(): Promise<void>;
}

/**
 * Maximum number of documents that are recognized at once, for each page that may be recognized at once. It is more
 * than one, so that a short document does not wait for the end of a long one.
 */
const OPEN_DOCUMENTS_PER_SLOT = 4;

/** Returns the maximum number of documents that are recognized at once. */
export function computeMaxRecognizedDocuments(concurrency: number): number {
  return concurrency * OPEN_DOCUMENTS_PER_SLOT;
}

export function openPageRecognition(parts: RecognitionParts): PageRecognition {
  const { concurrency, reader, now } = parts;
  const waiting = new WaitingDocuments(computeMaxRecognizedDocuments(concurrency), now);
  const semaphore = new Semaphore(concurrency);
  return {
    requeueIfWaiting: (key) => {
      waiting.requeueIfWaiting(key);
    },
    readDocument: (key, request, pages, run) =>
      waiting.recognize(key, async () => {
        const recognizer = parts.getRecognizer(run.languages);
        const recognizedPages = await recognizePages({ ...parts, recognizer, semaphore }, request, pages, run);
        return readDocumentWithRecognizedWords(reader, { ...request, recognizedPages }, recognizedPages, run.signal);
      }),
    close: () => reader.close(),
  };
}

interface PageParts extends RecognitionParts {
  readonly recognizer: Recognizer;
  readonly semaphore: Semaphore;
}

/** Recognizes pages of a document in parallel. Several documents take turns, page by page. */
async function recognizePages(
  parts: PageParts,
  request: DocumentRequest,
  pages: readonly number[],
  run: RecognitionRun,
): Promise<readonly RecognizedPage[]> {
  const failure = new AbortController();
  const signal = AbortSignal.any([run.signal, failure.signal]);
  const remaining = [...pages];
  const recognized: RecognizedPage[] = [];
  let done = 0;
  const recognizeRemaining = async (): Promise<void> => {
    for (let page = remaining.shift(); page !== undefined; page = remaining.shift()) {
      const found = await recognizePage(parts, request, page, { ...run, signal });
      if (found !== undefined) recognized.push(found);
      done += 1;
      run.onProgress({ done, total: pages.length, unit: 'pages' });
    }
  };
  // The first failure also ends the recognition of the other pages, and is thrown when all tasks have ended.
  const tasks = Array.from({ length: Math.min(parts.concurrency, pages.length) }, () =>
    recognizeRemaining().catch((error: unknown) => {
      failure.abort(error);
      throw error;
    }),
  );
  await Promise.allSettled(tasks);
  await Promise.all(tasks);
  return recognized;
}

async function recognizePage(
  { recognizer, reader, semaphore }: PageParts,
  request: DocumentRequest,
  page: number,
  { signal, log }: RecognitionRun,
): Promise<RecognizedPage | undefined> {
  const recognize = async (): Promise<RecognizedPage> => {
    const { pixels, ...image } = await reader.renderPage(request, page, { signal });
    return { page, image, ...(await recognizer.recognize({ ...image, pixels }, signal)) };
  };
  try {
    return await semaphore.runTask(recognize, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!isFailureOfOnePage(error)) throw error;
    log.warn({ err: error, page }, 'a page was not recognized: the document is read without its text');
    return undefined;
  }
}

/**
 * Returns whether an error shows that a page cannot be recognized. The end of a reader process by SIGKILL does not show
 * this, because the kernel sends this signal if memory is low.
 */
function isFailureOfOnePage(error: unknown): boolean {
  if (error instanceof ReaderProcessExited) return error.signal !== 'SIGKILL';
  return error instanceof PageNotRecognized || error instanceof ReadingFailed;
}

async function readDocumentWithRecognizedWords(
  reader: DocumentReader,
  request: DocumentRequest,
  recognized: readonly RecognizedPage[],
  signal: AbortSignal,
): Promise<RecognizedDocument> {
  let pages: PageReport | undefined;
  const onPages = (report: PageReport): void => void (pages = report);
  const fragments = await reader.read(request, { signal, onPages });
  const used = new Set(pages?.recognizedPages);
  const added = recognized
    .filter(({ page, words }) => used.has(page) && words.length > 0)
    .toSorted((one, other) => one.page - other.page);
  return {
    fragments,
    ...(pages && { pages }),
    confidence: added.length === 0 ? undefined : computeMeanConfidence(added.flatMap(({ words }) => words)),
    pageConfidences: added.map(({ page, words }) => ({ page, confidence: Math.round(computeMeanConfidence(words)) })),
  };
}

function computeMeanConfidence(words: readonly RecognizedWord[]): number {
  return words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length;
}
