import type { ChildProcess } from 'node:child_process';
import { refChild, captureErrorOutput, unrefChild } from '@quarry/child-process';
import { ReadingFailed, type ReadingProgress } from '../readers/reader.js';
import type { Fragment } from '../splitting/fragment.js';
import { isOverMemoryLimit } from './memory-watch.js';
import type { ReadAnswer, ReadRequest } from './reader-messages.js';
import { startProcess } from './start-process.js';

export interface ReadOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ReadingProgress) => void;
  /** Hears at the end the most memory, in MB, that the process held since it was started; nothing when it was killed. */
  readonly onPeakMemory?: (megabytes: number) => void;
  /** Receives why a process died, when the document is read again in another. */
  readonly onReadAgain?: (reason: Error) => void;
}

/** The process that read a document ended itself, because it held more memory than it may. */
export class MemoryLimitExceeded extends Error {
  constructor(memoryMb: number) {
    super(`the process that read the file held more than ${memoryMb} MB`);
    this.name = 'MemoryLimitExceeded';
  }
}

/** The process that read a document ended for another reason, or was killed. Trying again may help. */
export class ReadingProcessDied extends Error {
  /** Undefined where it ended with a code. */
  readonly signal: NodeJS.Signals | undefined;

  constructor(how: { readonly signal: NodeJS.Signals | null; readonly code: number | null }, output: string) {
    const end = how.signal === null ? `with code ${how.code ?? 'unknown'}` : `by ${how.signal}`;
    super(`the process that read the file ended ${end}${output === '' ? '' : `: ${output}`}`);
    this.name = 'ReadingProcessDied';
    this.signal = how.signal ?? undefined;
  }
}

/** One process that reads documents, one after the other. */
export class ReadingProcess {
  readonly #child: ChildProcess;
  readonly #memoryMb: number;
  readonly #errors: () => string;
  #heldMb = 0;
  #isAlive = true;
  /** Why it was killed from here. */
  #killedFor: Error | undefined;

  constructor(memoryMb: number) {
    this.#memoryMb = memoryMb;
    this.#child = startProcess(memoryMb);
    this.#errors = captureErrorOutput(this.#child);
    this.#child.on('error', () => (this.#isAlive = false));
    this.#child.on('exit', () => (this.#isAlive = false));
    this.rest();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** How much memory it held after the last document, in MB. */
  get heldMb(): number {
    return this.#heldMb;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /**
   * @throws ReadingFailed, also when reading takes longer than `timeoutMs` and the process is killed; the signal's reason when it
   * aborts; MemoryLimitExceeded; ReadingProcessDied
   */
  async read(request: ReadRequest, timeoutMs: number, options: ReadOptions = {}): Promise<readonly Fragment[]> {
    options.signal?.throwIfAborted();
    const onAbort = (): void => {
      const reason: unknown = options.signal?.reason;
      this.#kill(reason instanceof Error ? reason : new Error('reading was aborted'));
    };
    const late = setTimeout(() => {
      this.#kill(
        new ReadingFailed('reading_timed_out', `Reading the file took longer than ${timeoutMs / 1_000} seconds.`),
      );
    }, timeoutMs);
    options.signal?.addEventListener('abort', onAbort);
    refChild(this.#child);
    try {
      return await this.#ask(request, options);
    } finally {
      clearTimeout(late);
      options.signal?.removeEventListener('abort', onAbort);
    }
  }

  /** An idle process does not keep this one alive. */
  rest(): void {
    unrefChild(this.#child);
  }

  kill(): void {
    this.#kill(new Error('the reading process was closed'));
  }

  #kill(reason: Error): void {
    this.#killedFor ??= reason;
    this.#child.kill('SIGKILL');
  }

  #ask(request: ReadRequest, { onProgress, onPeakMemory }: ReadOptions): Promise<readonly Fragment[]> {
    const child = this.#child;
    const fragments: Fragment[] = [];
    return new Promise<readonly Fragment[]>((resolve, reject) => {
      const onMessage = (message: unknown): void => {
        const answer = message as ReadAnswer; // the process runs reader-process.ts, which sends nothing else
        if ('peakMemoryMb' in answer) {
          this.#heldMb = answer.memoryMb;
          onPeakMemory?.(answer.peakMemoryMb);
        }
        if (answer.type === 'progress') onProgress?.(answer.progress);
        else if (answer.type === 'fragments') fragments.push(...answer.fragments);
        else if (answer.type === 'finished') resolve(fragments);
        else reject(new ReadingFailed(answer.code, answer.message));
      };
      // `close` comes after the process's last words have been read.
      const onClose = (code: number | null, signal: NodeJS.Signals | null): void => {
        reject(this.#reasonOfEnd(code, signal));
      };
      const onError = (error: Error): void => {
        reject(this.#killedFor ?? error);
      };
      child.on('message', onMessage).on('close', onClose).on('error', onError);
      this.#stopListening = () => {
        child.off('message', onMessage).off('close', onClose).off('error', onError);
      };
      if (!this.#isAlive) onClose(child.exitCode, child.signalCode);
      else {
        child.send(request, (error) => {
          if (error !== null) onError(error);
        });
      }
    }).finally(() => {
      this.#stopListening();
    });
  }

  #stopListening = (): void => undefined;

  #reasonOfEnd(code: number | null, signal: NodeJS.Signals | null): Error {
    if (this.#killedFor !== undefined) return this.#killedFor;
    if (isOverMemoryLimit(signal, this.#errors())) return new MemoryLimitExceeded(this.#memoryMb);
    return new ReadingProcessDied({ code, signal }, this.#errors());
  }
}
