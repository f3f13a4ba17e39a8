import type { Fragment } from '../splitting/fragment.js';
import type { ReadRequest } from './messages.js';
import { ReadingProcess, type ReadOptions } from './reading-process.js';

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
   * @throws ReadingFailed when it can never be read, ReadingProcessDied, or the signal's reason when it aborts
   */
  read(request: Omit<ReadRequest, 'maxCharacters'>, options?: ReadOptions): Promise<readonly Fragment[]>;

  /** Ends the processes; documents that are being read fail. */
  close(): Promise<void>;
}

/** A process that holds more of its memory than this leaves the next document too little, and ends. */
const MOST_LEFT_BEHIND = 0.6;

interface Slot {
  readonly process: ReadingProcess;
  documents: number;
}

/** Processes are started when they are needed and kept, until they have read enough or a document has failed in them. */
export function documentReader(settings: ReadingSettings): DocumentReader {
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
  const take = (): Slot => {
    if (closed) throw new Error('the document reader was closed');
    let slot = idle.pop();
    while (slot?.process.isAlive === false) slot = idle.pop();
    return slot ?? { process: new ReadingProcess(settings.memoryMb), documents: 0 };
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

  return {
    read: async (request, options = {}) => {
      options.signal?.throwIfAborted();
      await enter(options.signal);
      try {
        return await readWith(take(), request, options);
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
