import type { BlobStore } from '@quarry/blob-store';
import {
  formatCount,
  buildDocumentJobId,
  GiveUp,
  type IndexDocument,
  type PageConfidence,
  type Progress,
  type Stage,
} from '@quarry/contracts';
import {
  ReadingFailed,
  type DocumentReader,
  type PageReport,
  ReaderProcessExited,
  type Fragment,
} from '@quarry/document-readers';
import { selectLowestConfidences } from '../recognition/page-confidences.js';
import type { PageRecognition, RecognizedDocument } from '../recognition/page-recognition.js';
import { withLocalCopy } from './local-copy.js';
import type { WarningLog } from './vector-cache.js';

/** Holds the dependencies of reading a document. */
export interface ReadingParts {
  readonly blobs: BlobStore;
  readonly reader: DocumentReader;
  /** Recognizes text in images of pages (OCR). Undefined if text recognition is not configured. */
  readonly recognition?: PageRecognition | undefined;
  /** Maximum size of a document in bytes. A larger document fails with `file_too_large`. */
  readonly maxFileBytes: number;
}

export interface ReadingRun {
  readonly signal: AbortSignal;
  readonly lastAttempt: boolean;
  readonly log: WarningLog;
  /** Receives the stage and the progress of the run, often many times per second. */
  readonly onProgress: (stage: Stage, progress?: Progress) => void;
}

/** Counts the pages of a document, the pages with incomplete text, and the pages with recognized text. */
export interface PageSummary {
  readonly pages: number;
  /** Number of pages with text that could not be decoded. */
  readonly undecodedPages: number;
  /** Number of pages that are images and whose text was not recognized. */
  readonly imagePages: number;
  /** Number of pages with text that was recognized in an image. */
  readonly recognizedPages: number;
  /** Mean confidence of all recognized words of the document, from 0 to 100. Undefined if no word was recognized. */
  readonly recognitionConfidence: number | undefined;
  /**
   * The mean confidence of each page with recognized words, in the order of the pages. If there are more than
   * `MAX_PAGE_CONFIDENCES` such pages, only those with the lowest confidence are included.
   */
  readonly pageConfidences: readonly PageConfidence[];
}

/** Holds the text of a document, split into fragments. */
export interface ReadDocument {
  readonly fragments: readonly Fragment[];
  readonly pages?: PageSummary;
}

/**
 * Reads and splits a document. Also recognizes the text in images of its pages, if text recognition is configured.
 *
 * @throws GiveUp if another attempt cannot succeed, or if the document has no text; TryLater if the document must wait
 *   until fewer documents are being recognized
 */
export async function readDocument(parts: ReadingParts, job: IndexDocument, run: ReadingRun): Promise<ReadDocument> {
  const { blobs, recognition, maxFileBytes } = parts;
  recognition?.requeueIfWaiting(buildDocumentJobId(job));
  run.onProgress('reading');
  const source = { blobs, key: job.blobKey, part: job.blobPart, maxBytes: maxFileBytes };
  const { fragments, pages, imagePages } = await withLocalCopy(source, run.signal, (path) =>
    readLocalDocument(parts, path, job, run),
  ).catch((error: unknown) => {
    throw createReadingGiveUp(error, run.lastAttempt) ?? error;
  });
  if (fragments.length === 0) {
    const undecoded = describeUndecodedPages(pages);
    const advice = formatAdviceOnMissingText(job, imagePages, recognition);
    throw new GiveUp('no_text_found', `No text was found in ${job.name}.${undecoded}${advice}`);
  }
  return { fragments, ...(pages && { pages }) };
}

async function readLocalDocument(
  { reader, recognition }: ReadingParts,
  path: string,
  job: IndexDocument,
  run: ReadingRun,
): Promise<ReadDocument & { readonly imagePages: number }> {
  const { signal, log } = run;
  const onProgress = (progress: Progress): void => {
    run.onProgress('reading', progress);
  };
  const file = { mimeType: job.mimeType, name: job.name, nameIsFileName: job.datasourceType === 'file' };
  const request = { path, file, splitting: job.splitting };
  const reports: PageReport[] = [];
  const onPages = (report: PageReport): void => void reports.push(report);
  const onRetry = (reason: Error): void => {
    log.warn({ err: reason, documentKey: job.documentKey }, 'a reader process exited: the document is read again');
  };
  const fragments = await reader.read(request, { signal, onProgress, onPages, onRetry });
  const found = reports.at(-1);
  if (found === undefined) return { fragments, imagePages: 0 };
  const imagePages = found.imagePages.length;
  const incomplete = [...found.imagePages, ...found.partialPages].toSorted((one, other) => one - other);
  if (recognition === undefined || incomplete.length === 0) {
    return { fragments, imagePages, pages: summarizePages(found) };
  }
  const key = buildDocumentJobId(job);
  const recognitionRun = { signal, log, onProgress, languages: job.ocrLanguages };
  const recognized = await recognition.readDocument(key, request, incomplete, recognitionRun);
  return { fragments: recognized.fragments, imagePages, pages: summarizePages(recognized.pages ?? found, recognized) };
}

function summarizePages(report: PageReport, recognized?: RecognizedDocument): PageSummary {
  const { pages, undecodedPages, imagePages } = report;
  const { confidence, pageConfidences = [] } = recognized ?? {};
  return {
    // The recognized pages of the report include blank pages, which have no confidence.
    ...{ pages, undecodedPages, imagePages: imagePages.length, recognizedPages: pageConfidences.length },
    recognitionConfidence: confidence,
    pageConfidences: selectLowestConfidences(pageConfidences),
  };
}

function describeUndecodedPages(pages: PageSummary | undefined): string {
  if (pages === undefined || pages.undecodedPages === 0) return '';
  const { undecodedPages } = pages;
  return ` ${undecodedPages} of ${formatCount(pages.pages, 'page')} ${undecodedPages === 1 ? 'has' : 'have'} text that could not be decoded.`;
}

/** Returns a sentence with advice for a document without text, or an empty string if there is no advice. */
function formatAdviceOnMissingText(
  job: IndexDocument,
  imagePages: number,
  recognition: PageRecognition | undefined,
): string {
  if (recognition !== undefined && imagePages > 0) return ' No text was recognized in its images.';
  if (recognition !== undefined || job.mimeType !== 'application/pdf') return '';
  return ' If it is a scan, enable text recognition with QUARRY_OCR, or add a text layer with OCR.';
}

/**
 * Converts a reading error to a permanent failure: an error that the reader reports, or a crash of the reader process
 * in the last attempt. Returns undefined for other errors, such as a process that was killed with SIGKILL, because
 * another attempt may succeed.
 */
function createReadingGiveUp(error: unknown, lastAttempt: boolean): GiveUp | undefined {
  if (error instanceof ReadingFailed) return new GiveUp(error.code, error.message, { cause: error });
  if (!lastAttempt || !(error instanceof ReaderProcessExited) || error.signal === 'SIGKILL') return undefined;
  return new GiveUp('file_unreadable', 'The file crashed the reader process.', { cause: error });
}
