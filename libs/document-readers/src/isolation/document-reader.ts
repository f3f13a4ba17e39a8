import { ReadingFailed } from '../readers/reader.js';
import type { Fragment } from '../splitting/fragment.js';
import type { ReadRequest } from './reader-messages.js';
import {
  MemoryLimitExceeded,
  ReaderProcessHandle,
  ReaderProcessExited,
  type ReadOptions,
} from './reader-process-handle.js';

export interface ReadingSettings {
  /** Number of processes. Each reads one document at a time. */
  readonly processes: number;
  /** A process is replaced after this many documents, to limit memory leaks. */
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

/** Share of the memory limit. A process that uses more after a document leaves too little for the next one, and is replaced. */
const MAX_RESIDENT_SHARE = 0.6;
/** After this many exits for other reasons, the document is left to the next attempt of the job, which comes after a delay. */
const MAX_EXITS = 2;
/** A document fails after this many new processes exceeded their memory limit. */
const MAX_MEMORY_FAILURES = 2;

interface Slot {
  readonly process: ReaderProcessHandle;
  documents: number;
}

/**
 * Opens a document reader. Processes start on demand and are reused until they reach their number of documents or a document
 * fails.
 *
 * @param startReaderProcess starts a process with a memory limit, in MB
 */
export function documentReader(
  settings: ReadingSettings,
  startReaderProcess = (memoryMb: number): ReaderProcessHandle => new ReaderProcessHandle(memoryMb),
): DocumentReader {
  const idle: Slot[] = [];
  const busy = new Set<Slot>();
  const waiting: (() => void)[] = [];
  let free = settings.processes;
  let closed = false;

  const acquire = async (signal: AbortSignal | undefined): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const grant = (): void => {
        signal?.removeEventListener('abort', cancel);
        resolve();
      };
      const cancel = (): void => {
        waiting.splice(waiting.indexOf(grant), 1);
        reject(signal?.reason instanceof Error ? signal.reason : new Error('reading was aborted'));
      };
      signal?.addEventListener('abort', cancel, { once: true });
      waiting.push(grant);
    });
  };
  const release = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  const startSlot = (): Slot => {
    if (closed) throw new Error('the document reader was closed');
    return { process: startReaderProcess(settings.memoryMb), documents: 0 };
  };
  const takeSlot = (): Slot => {
    let slot = idle.pop();
    while (slot?.process.isAlive === false) slot = idle.pop();
    return slot ?? startSlot();
  };

  const readWith = async (slot: Slot, request: Omit<ReadRequest, 'maxCharacters'>, options: ReadOptions) => {
    busy.add(slot);
    try {
      const fragments = await slot.process.read(
        { ...request, maxCharacters: settings.maxCharacters },
        settings.timeoutMs,
        options,
      );
      slot.documents += 1;
      const isLarge = slot.process.residentMb > settings.memoryMb * MAX_RESIDENT_SHARE;
      if (isLarge || slot.documents >= settings.documentsPerProcess) slot.process.kill();
      else idle.push(slot);
      return fragments;
    } catch (error) {
      slot.process.kill();
      throw error;
    } finally {
      busy.delete(slot);
      slot.process.unref();
    }
  };

  const readWithRetries = async (request: Omit<ReadRequest, 'maxCharacters'>, options: ReadOptions) => {
    let exits = 0;
    let memoryFailures = 0;
    for (let slot = takeSlot(); ; slot = startSlot()) {
      const isNew = slot.documents === 0;
      try {
        return await readWith(slot, request, options);
      } catch (error) {
        if (error instanceof MemoryLimitExceeded) memoryFailures += isNew ? 1 : 0;
        else if (error instanceof ReaderProcessExited) exits += 1;
        else throw error;
        if (memoryFailures >= MAX_MEMORY_FAILURES) throw outOfMemory(settings.memoryMb, error);
        if (exits >= MAX_EXITS) throw error;
        options.onRetry?.(error);
      }
    }
  };

  return {
    read: async (request, options = {}) => {
      options.signal?.throwIfAborted();
      await acquire(options.signal);
      try {
        return await readWithRetries(request, options);
      } finally {
        release();
      }
    },
    close: () => {
      closed = true;
      for (const slot of [...idle.splice(0), ...busy]) slot.process.kill();
      return Promise.resolve();
    },
  };
}

function outOfMemory(memoryMb: number, cause: Error): ReadingFailed {
  const message = `Reading the file exceeded the memory limit of ${memoryMb} MB.`;
  return new ReadingFailed('reading_out_of_memory', message, { cause });
}
