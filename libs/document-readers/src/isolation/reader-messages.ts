import type { SplittingSettings } from '@quarry/contracts';
import type { DeclaredFile } from '../readers/detect-file-type.js';
import type { PageReport, ReadingFailure, ReadingProgress } from '../readers/reader.js';
import type { PageImage, RecognizedPage } from '../readers/recognized-page.js';
import type { Fragment } from '../splitting/fragment.js';

/** Describes a request to the reader process, with everything that it needs to read a document. */
export interface ReadRequest {
  /** Path of the file to read. */
  readonly path: string;
  readonly file: DeclaredFile;
  readonly splitting: SplittingSettings;
  /** Maximum number of characters. A document with more fails. */
  readonly maxCharacters: number;
  /** Pages whose text was recognized. Absent: none. */
  readonly recognizedPages?: readonly RecognizedPage[];
  /** Number of the page to render, from 1. Absent: the text is read. */
  readonly renderedPage?: number;
}

/**
 * Describes a message from the reader process. The process sends any number of the first three types, and then one
 * of the others.
 */
export type ReadAnswer =
  | { readonly type: 'progress'; readonly progress: ReadingProgress }
  | { readonly type: 'fragments'; readonly fragments: readonly Fragment[] }
  | { readonly type: 'image'; readonly image: PageImage }
  | ({ readonly type: 'finished'; readonly pages?: PageReport } & Usage)
  | ({ readonly type: 'failed'; readonly code: ReadingFailure; readonly message: string } & Usage);

interface Usage {
  /** Peak memory since the process started, including memory outside the heap. */
  readonly peakMemoryMb: number;
  /** Current memory of the process in MB, including memory outside the heap. */
  readonly memoryMb: number;
}
