import { ReadingFailed } from '../readers/reader.js';
import type { Fragment } from '../splitting/fragment.js';
import type { ReadRequest } from './reader-messages.js';
import { MemoryLimitExceeded, ReadingProcess, ReadingProcessDied, type ReadOptions } from './reading-process.js';

export interface ReadingSettings {
  /** Documents at the same time, each in a process of its own. */
  readonly processes: number;
  /** A process ends after this many documents, so that what one leaves behind does not add up. */
  readonly documentsPerProcess: number;
  /** For one document. */
  readonly timeoutMs: number;
  /** For one process, all of its memory counted. */
  readonly memoryMb: number;
  /** Of one document's text. */
  readonly maxCharacters: number;
}

/** Reads and splits documents, whatever they do to the process that reads them. */
export interface DocumentReader {
  /**
   * @returns the fragments in reading order; none when the document has no text
   * A process that dies is no proof against the document: it is read again, in a new process that has read nothing else. The
   * document is at fault when two new processes exceed their memory over it.
   *
   * @throws ReadingFailed when it can never be read, ReadingProcessDied, or the signal's reason when it aborts
   */
  read(request: Omit<ReadRequest, 'maxCharacters'>, options?: ReadOptions): Promise<readonly Fragment[]>;

  /** Ends the processes; documents that are being read fail. */
  close(): Promise<void>;
}

/** A process that holds more of its memory than this leaves the next document too little, and ends. */
const MOST_LEFT_BEHIND = 0.6;
/** More processes that die of something else are left to the next attempt of the job, which comes after a wait. */
const MAX_DEATHS = 2;
/** A document is at fault when so many new processes exceed their memory over it. */
const MAX_OVER_LIMIT = 2;

interface Slot {
  readonly process: ReadingProcess;
  documents: number;
}

/**
 * Opens a reader. Processes are started when they are needed and kept, until they have read enough or a document has failed in them.
 *
 * @param startProcess starts a process that may hold so much memory, in MB
 */
export function documentReader(
  settings: ReadingSettings,
  startProcess = (memoryMb: number): ReadingProcess => new ReadingProcess(memoryMb),
): DocumentReader {
  const idle: Slot[] = [];
  const busy = new Set<Slot>();
  const waiting: (() => void)[] = [];
  let free = settings.processes;
  let closed = false;

  const enter = async (signal: AbortSignal | undefined): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const turn = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(turn), 1);
        reject(signal?.reason instanceof Error ? signal.reason : new Error('reading was aborted'));
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.push(turn);
    });
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  const start = (): Slot => {
    if (closed) throw new Error('the document reader was closed');
    return { process: startProcess(settings.memoryMb), documents: 0 };
  };
  const take = (): Slot => {
    let slot = idle.pop();
    while (slot?.process.isAlive === false) slot = idle.pop();
    return slot ?? start();
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
      const isUsedUp = slot.process.heldMb > settings.memoryMb * MOST_LEFT_BEHIND;
      if (isUsedUp || slot.documents >= settings.documentsPerProcess) slot.process.kill();
      else idle.push(slot);
      return fragments;
    } catch (error) {
      slot.process.kill();
      throw error;
    } finally {
      busy.delete(slot);
      slot.process.rest();
    }
  };

  const readUntilItIsClear = async (request: Omit<ReadRequest, 'maxCharacters'>, options: ReadOptions) => {
    let deaths = 0;
    let overLimit = 0;
    for (let slot = take(); ; slot = start()) {
      const isNew = slot.documents === 0;
      try {
        return await readWith(slot, request, options);
      } catch (error) {
        if (error instanceof MemoryLimitExceeded) overLimit += isNew ? 1 : 0;
        else if (error instanceof ReadingProcessDied) deaths += 1;
        else throw error;
        if (overLimit >= MAX_OVER_LIMIT) throw outOfMemory(settings.memoryMb, error);
        if (deaths >= MAX_DEATHS) throw error;
        options.onReadAgain?.(error);
      }
    }
  };

  return {
    read: async (request, options = {}) => {
      options.signal?.throwIfAborted();
      await enter(options.signal);
      try {
        return await readUntilItIsClear(request, options);
      } finally {
        leave();
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
  const message = `Reading the file takes more than the ${memoryMb} MB of memory it may take.`;
  return new ReadingFailed('reading_out_of_memory', message, { cause });
}
