import { ReadingFailed } from '../readers/reader.js';
import type { Fragment } from '../splitting/fragment.js';
import type { ReadRequest } from './reader-messages.js';
import {
  MemoryLimitExceeded,
  ReaderProcessExited,
  ReaderProcessHandle,
  type ReadOptions,
} from './reader-process-handle.js';
import { ReaderProcessPool } from './reader-process-pool.js';

export interface ReadingSettings {
  /** Number of processes. Each reads one document at a time. */
  readonly processes: number;
  /** Number of documents after which a process is replaced, to limit memory leaks. */
  readonly documentsPerProcess: number;
  /** Time limit per document. */
  readonly timeoutMs: number;
  /** Memory limit per process, including memory outside the heap. */
  readonly memoryMb: number;
  /** Maximum characters of a document's text. */
  readonly maxCharacters: number;
}

/** Reads documents and splits them into fragments, in child processes with limits. */
export interface DocumentReader {
  /**
   * Reads a document. If its process exits, the document is read again in a new process that has read no other. It fails with
   * `reading_out_of_memory` when two new processes exceed their memory limit.
   *
   * @returns the fragments in reading order; none if the document has no text
   * @throws ReadingFailed if it can never be read; ReaderProcessExited; the signal's reason if it aborts
   */
  read(request: Omit<ReadRequest, 'maxCharacters'>, options?: ReadOptions): Promise<readonly Fragment[]>;

  /** Ends the processes. Documents that are being read fail. */
  close(): Promise<void>;
}

/** Maximum number of exits for other reasons. The next attempt of the job, after a delay, then reads the document. */
const MAX_EXITS = 2;
/** Number of new processes that may exceed their memory limit before a document fails. */
const MAX_MEMORY_FAILURES = 2;

/**
 * Opens a document reader. Processes start on demand and are reused until they reach their number of documents or a document
 * fails.
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
  return {
    read: async (request, options = {}) => {
      await semaphore.acquireSlot(options.signal);
      try {
        return await readWithRetries(pool, { ...request, maxCharacters }, options, settings.memoryMb);
      } finally {
        semaphore.releaseSlot();
      }
    },
    close: () => {
      pool.closePool();
      return Promise.resolve();
    },
  };
}

async function readWithRetries(
  pool: ReaderProcessPool,
  request: ReadRequest,
  options: ReadOptions,
  memoryMb: number,
): Promise<readonly Fragment[]> {
  let exits = 0;
  let memoryFailures = 0;
  for (let pooled = pool.takeProcess(); ; pooled = pool.startPooled()) {
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

/** Limits the number of concurrent tasks. Waiting calls continue in their order. */
class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(limit: number) {
    this.#free = limit;
  }

  /** Resolves when the task may start. @throws the signal's reason if it aborts before */
  async acquireSlot(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const grantSlot = (): void => {
        signal?.removeEventListener('abort', cancelWaiting);
        resolve();
      };
      const cancelWaiting = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(grantSlot), 1);
        reject(signal?.reason instanceof Error ? signal.reason : new Error('reading was aborted'));
      };
      signal?.addEventListener('abort', cancelWaiting, { once: true });
      this.#waiting.push(grantSlot);
    });
  }

  releaseSlot(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
