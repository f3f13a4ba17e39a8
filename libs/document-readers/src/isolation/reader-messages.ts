import type { SplittingSettings } from '@quarry/contracts';
import type { DeclaredFile } from '../readers/determine-file-type.js';
import type { PageReport, ReadingFailure, ReadingProgress } from '../readers/reader.js';
import type { PictureRequest, RenderedPicture } from '../readers/page-picture.js';
import type { PageImage, RecognizedPage } from '../readers/recognized-page.js';
import type { Fragment } from '../splitting/fragment.js';

/** Describes a request to the reader process. Requests are independent of each other. */
export type ReaderRequest = ReadRequest | RenderPictureRequest;

/** Describes a request to render a page of a PDF for display. */
export interface RenderPictureRequest {
  /** Path of the PDF file. */
  readonly path: string;
  readonly picture: PictureRequest;
}

/** Describes a request to read a document, with everything that the reader process needs. */
export interface ReadRequest {
  /** Path of the file to read. */
  readonly path: string;
  readonly file: DeclaredFile;
  readonly splitting: SplittingSettings;
  /** Maximum number of characters of the document's text. Reading a longer document fails. */
  readonly maxCharacters: number;
  /** Pages whose text OCR has recognized, with this text. Absent: none. */
  readonly recognizedPages?: readonly RecognizedPage[];
  /** Number of the page to render for text recognition, from 1. Absent: the request reads the text of the document. */
  readonly renderedPage?: number;
}

/**
 * Describes a message from the reader process. The last message of each request is `finished` or `failed`.
 */
export type ReadAnswer =
  | { readonly type: 'progress'; readonly progress: ReadingProgress }
  | { readonly type: 'fragments'; readonly fragments: readonly Fragment[] }
  | { readonly type: 'image'; readonly image: PageImage }
  | { readonly type: 'picture'; readonly rendered: RenderedPicture }
  | ({ readonly type: 'finished'; readonly pages?: PageReport } & Usage)
  | ({ readonly type: 'failed'; readonly code: ReadingFailure; readonly message: string } & Usage);

interface Usage {
  /** Peak memory of the reader process since its start, in MB, including memory outside V8's heap. */
  readonly peakMemoryMb: number;
  /** Current memory of the reader process in MB, including memory outside V8's heap. */
  readonly memoryMb: number;
}
