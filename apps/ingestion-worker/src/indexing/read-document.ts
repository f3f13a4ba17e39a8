import type { BlobStore } from '@quarry/blob-store';
import { GiveUp, type IndexDocument, type Progress, type Stage } from '@quarry/contracts';
import {
  ReadingFailed,
  type DocumentReader,
  type PageReport,
  ReaderProcessExited,
  type Fragment,
} from '@quarry/document-readers';
import { withLocalCopy } from './local-copy.js';
import type { WarningLog } from './vector-cache.js';

/** Holds the dependencies of reading a document. */
export interface ReadingParts {
  readonly blobs: BlobStore;
  readonly reader: DocumentReader;
  /** A document with more bytes fails with `file_too_large`. */
  readonly maxFileBytes: number;
}

export interface ReadingRun {
  readonly signal: AbortSignal;
  readonly lastAttempt: boolean;
  readonly log: WarningLog;
  /** Receives the progress, often many times per second. */
  readonly onProgress: (stage: Stage, progress?: Progress) => void;
}

/** Holds the text of a document, split into fragments. */
export interface ReadDocument {
  readonly fragments: readonly Fragment[];
  readonly pages?: PageReport;
}

/** Reads and splits a document. @throws GiveUp if another attempt cannot succeed, or if the document has no text */
export async function readDocument(
  { blobs, reader, maxFileBytes }: ReadingParts,
  job: IndexDocument,
  { signal, lastAttempt, onProgress, log }: ReadingRun,
): Promise<ReadDocument> {
  let pages: PageReport | undefined;
  onProgress('reading');
  const file = { mimeType: job.mimeType, name: job.name, nameIsFileName: job.datasourceType === 'file' };
  const readFragmentsOf = (path: string): Promise<readonly Fragment[]> =>
    reader.read(
      { path, file, splitting: job.splitting },
      {
        signal,
        onProgress: (progress) => {
          onProgress('reading', progress);
        },
        onPages: (report) => {
          pages = report;
        },
        onRetry: (reason) => {
          log.warn(
            { err: reason, documentKey: job.documentKey },
            'a reader process exited: the document is read again',
          );
        },
      },
    );
  const source = { blobs, key: job.blobKey, part: job.blobPart, maxBytes: maxFileBytes };
  const fragments = await withLocalCopy(source, signal, readFragmentsOf).catch((error: unknown) => {
    throw createGiveUp(error, lastAttempt) ?? error;
  });
  if (fragments.length === 0) {
    const advice = job.mimeType === 'application/pdf' ? ' If it is a scan, add a text layer with OCR.' : '';
    throw new GiveUp('no_text_found', `No text was found in ${job.name}.${advice}`);
  }
  return { fragments, ...(pages && { pages }) };
}

/**
 * Converts a reading error to a permanent failure. Returns undefined if the reader process was killed, because the file may be
 * readable.
 */
function createGiveUp(error: unknown, lastAttempt: boolean): GiveUp | undefined {
  if (error instanceof ReadingFailed) return new GiveUp(error.code, error.message, { cause: error });
  if (!lastAttempt || !(error instanceof ReaderProcessExited) || error.signal === 'SIGKILL') return undefined;
  return new GiveUp('file_unreadable', 'The file crashed the reader process.', { cause: error });
}
