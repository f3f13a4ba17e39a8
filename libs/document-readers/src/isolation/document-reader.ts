import { Semaphore } from '@quarry/cancellation';
import { ReadingFailed } from '../readers/reader.js';
import type { PictureRequest, RenderedPicture } from '../readers/page-picture.js';
import type { PageImage } from '../readers/recognized-page.js';
import type { Fragment } from '../splitting/fragment.js';
import type { ReaderRequest, ReadRequest } from './reader-messages.js';
import {
  MemoryLimitExceeded,
  ReaderProcessExited,
  ReaderProcessHandle,
  type ReadOptions,
} from './reader-process-handle.js';
import { ReaderProcessPool } from './reader-process-pool.js';

export interface ReadingSettings {
  /** Maximum number of reader processes. Each process reads one document at a time. */
  readonly processes: number;
  /** Number of documents after which a reader process is replaced, to limit the effect of memory leaks. */
  readonly documentsPerProcess: number;
  /**
   * Time in milliseconds after which a reader process without a document ends. The next document starts a new process.
   */
  readonly idleMs: number;
  /** Time limit for reading one document, in milliseconds. */
  readonly timeoutMs: number;
  /** Memory limit of each reader process in MB, including memory outside V8's heap. */
  readonly memoryMb: number;
  /** Maximum number of characters of a document's text. Reading a longer document fails. */
  readonly maxCharacters: number;
}

/** Describes a document to read, and how to split it into fragments. */
export type DocumentRequest = Omit<ReadRequest, 'maxCharacters' | 'renderedPage'>;

/** Reads documents and splits them into fragments, in child processes with limits. */
export interface DocumentReader {
  /**
   * Reads a document. If the reader process exits, reads the document again in a new process. If two processes that had
   * read no other document exceed the memory limit, reading fails with `reading_out_of_memory`.
   *
   * @returns the fragments in reading order; none if the document has no text
   * @throws ReadingFailed if the document can never be read; ReaderProcessExited if two processes exit for a reason
   * other than memory; the reason of the signal if the signal aborts
   */
  read(request: DocumentRequest, options?: ReadOptions): Promise<readonly Fragment[]>;

  /** Renders a page of a PDF in grey for text recognition. The limits of `read` apply. @throws as `read` */
  renderPage(request: DocumentRequest, page: number, options?: Pick<ReadOptions, 'signal'>): Promise<PageImage>;

  /**
   * Renders a page of a PDF for display. The limits of `read` apply.
   *
   * @param path path of the PDF file
   * @throws as `read`
   */
  renderPicture(
    path: string,
    picture: PictureRequest,
    options?: Pick<ReadOptions, 'signal' | 'onRetry'>,
  ): Promise<RenderedPicture>;

  /** Ends all reader processes. Calls that are still reading a document fail. */
  close(): Promise<void>;
}

/**
 * Number of exits of reader processes after which reading a document fails. Exits because of the memory limit do not
 * count. A later attempt to read the document can succeed.
 */
const MAX_EXITS = 2;
/**
 * Number of processes, started for the same document, that exceed their memory limit before reading the document fails.
 */
const MAX_MEMORY_FAILURES = 2;

/**
 * Opens a document reader. Reader processes start on demand. A process ends after `documentsPerProcess` documents,
 * after a failure, or when it has been idle for `idleMs`.
 *
 * @param startReaderProcess starts a process with a memory limit, in MB
 */
export function openDocumentReader(
  settings: ReadingSettings,
  startReaderProcess = (memoryMb: number): ReaderProcessHandle => new ReaderProcessHandle(memoryMb),
): DocumentReader {
  const { processes, maxCharacters } = settings;
  const semaphore = new Semaphore(processes);
  const pool = new ReaderProcessPool({ ...settings, startProcess: startReaderProcess });
  const runRequest = async (request: ReaderRequest, options: ReadOptions) =>
    semaphore.runTask(() => readWithRetries(pool, request, options, settings.memoryMb), options.signal);
  return {
    read: (request, options = {}) => runRequest({ ...request, maxCharacters }, options),
    renderPage: async (request, page, options = {}) => {
      let rendered: PageImage | undefined;
      const onImage = (image: PageImage): void => void (rendered = image);
      await runRequest({ ...request, maxCharacters, renderedPage: page }, { ...options, onImage });
      if (rendered === undefined)
        throw new ReadingFailed(
          'file_unreadable',
          `Page ${page} was not rendered: the reader process returned no image.`,
        );
      return rendered;
    },
    renderPicture: async (path, picture, options = {}) => {
      let result: RenderedPicture | undefined;
      const onPicture = (rendered: RenderedPicture): void => void (result = rendered);
      await runRequest({ path, picture }, { ...options, onPicture });
      if (result === undefined)
        throw new ReadingFailed(
          'file_unreadable',
          `Page ${picture.page} was not rendered: the reader process returned no picture.`,
        );
      return result;
    },
    close: () => {
      pool.closePool();
      return Promise.resolve();
    },
  };
}

async function readWithRetries(
  pool: ReaderProcessPool,
  request: ReaderRequest,
  options: ReadOptions,
  memoryMb: number,
): Promise<readonly Fragment[]> {
  let exits = 0;
  let memoryFailures = 0;
  for (let pooled = pool.acquireProcess(); ; pooled = pool.startPooledProcess()) {
    const isNew = pooled.documents === 0;
    try {
      return await pool.readDocument(pooled, request, options);
    } catch (error) {
      if (error instanceof MemoryLimitExceeded) memoryFailures += isNew ? 1 : 0;
      else if (error instanceof ReaderProcessExited) exits += 1;
      else throw error;
      if (memoryFailures >= MAX_MEMORY_FAILURES) throw createOutOfMemoryError(memoryMb, error);
      if (exits >= MAX_EXITS) throw error;
      options.onRetry?.(error);
    }
  }
}

function createOutOfMemoryError(memoryMb: number, cause: Error): ReadingFailed {
  const message = `Reading the file exceeded the memory limit of ${memoryMb} MB.`;
  return new ReadingFailed('reading_out_of_memory', message, { cause });
}
