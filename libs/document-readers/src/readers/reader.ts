import type { Block } from './block.js';
import type { RecognizedPage } from './recognized-page.js';

/** Describes the progress of reading, such as 40 of 600 pages. */
export interface ReadingProgress {
  readonly done: number;
  readonly total?: number;
  readonly unit: string;
}

/** Counts and lists the pages of a document whose text is incomplete or was recognized by OCR. */
export interface PageReport {
  readonly pages: number;
  /** Number of pages with text that could not be decoded. */
  readonly undecodedPages: number;
  /** Numbers of the pages that have an image and no text, from 1. Excludes pages on which OCR ran. */
  readonly imagePages: readonly number[];
  /**
   * Numbers of the pages with text on which OCR can find more text, from 1. An image covers most of such a page, or its
   * text has no map to Unicode. Excludes pages on which OCR ran.
   */
  readonly partialPages: readonly number[];
  /**
   * Numbers of the pages, from 1, whose text OCR provided or extended. Includes image pages on which OCR recognized no
   * words.
   */
  readonly recognizedPages: readonly number[];
}

/** Receives the reports of a reader, in addition to its blocks. */
export interface ReadingReports {
  onProgress(progress: ReadingProgress): void;
  /** Receives the page report. Readers of documents with pages call it once per document. */
  onPages(report: PageReport): void;
}

/**
 * Reads a file into blocks in reading order. Its callers report errors other than `ReadingFailed` as `file_unreadable`.
 *
 * @param recognizedPages the pages on which OCR ran, for readers that report image pages
 */
export type Reader = (
  bytes: Uint8Array,
  reports: ReadingReports,
  recognizedPages?: readonly RecognizedPage[],
) => AsyncIterable<Block>;

export type ReadingFailure =
  | 'file_empty'
  | 'file_encrypted'
  | 'file_type_mismatch'
  | 'file_type_unsupported'
  | 'file_unreadable'
  | 'file_too_large'
  | 'text_too_large'
  | 'reading_out_of_memory'
  | 'reading_timed_out';

/** Reports that a file cannot be read, and that another attempt cannot succeed. */
export class ReadingFailed extends Error {
  readonly code: ReadingFailure;

  constructor(code: ReadingFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ReadingFailed';
    this.code = code;
  }
}
