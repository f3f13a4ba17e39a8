import { type ChildProcess, fork } from 'node:child_process';
import { captureErrorOutput, refChild, resolveChildEntry, unrefChild } from '@quarry/child-process';
import { ReadingFailed, type PageReport, type ReadingProgress } from '../readers/reader.js';
import type { RenderedPicture } from '../readers/page-picture.js';
import type { PageImage } from '../readers/recognized-page.js';
import type { Fragment } from '../splitting/fragment.js';
import { isMemoryExit } from './memory-watch.js';
import type { ReadAnswer, ReaderRequest } from './reader-messages.js';

export interface ReadOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ReadingProgress) => void;
  /**
   * Receives the peak memory of the reader process, in MB, after the process has read the document. Not called if the
   * process was killed.
   */
  readonly onPeakMemory?: (megabytes: number) => void;
  /**
   * Receives a report on the pages of the document after the document has been read. Not called for a document without
   * pages.
   */
  readonly onPages?: (report: PageReport) => void;
  /** Receives the image of the page, if the request renders a page for text recognition. */
  readonly onImage?: (image: PageImage) => void;
  /** Receives the picture of a page, if the request renders a page for display. */
  readonly onPicture?: (rendered: RenderedPicture) => void;
  /** Receives the reason why a reader process exited, before a new process reads the document again. */
  readonly onRetry?: (reason: Error) => void;
}

/** Reports that the reader process ended itself because it exceeded its memory limit. */
export class MemoryLimitExceeded extends Error {
  constructor(memoryMb: number) {
    super(`the reader process exceeded its memory limit of ${memoryMb} MB`);
    this.name = 'MemoryLimitExceeded';
  }
}

/**
 * Reports that the reader process exited or was killed for a reason other than its memory limit. Another attempt can
 * succeed.
 */
export class ReaderProcessExited extends Error {
  /** Signal that ended the process. Undefined if the process exited with a code. */
  readonly signal: NodeJS.Signals | undefined;

  constructor(exit: { readonly signal: NodeJS.Signals | null; readonly code: number | null }, output: string) {
    const reason = exit.signal ?? `code ${exit.code ?? 'unknown'}`;
    super(`the reader process exited: ${reason}${output === '' ? '' : `: ${output}`}`);
    this.name = 'ReaderProcessExited';
    this.signal = exit.signal ?? undefined;
  }
}

/** Controls a child process that reads documents, one at a time. */
export class ReaderProcessHandle {
  readonly #child: ChildProcess;
  readonly #memoryMb: number;
  readonly #errors: () => string;
  #residentMb = 0;
  #isAlive = true;
  /** Reason for which this handle killed the process. Undefined if this handle did not kill the process. */
  #killReason: Error | undefined;

  constructor(memoryMb: number) {
    this.#memoryMb = memoryMb;
    this.#child = startReaderProcess(memoryMb);
    this.#errors = captureErrorOutput(this.#child);
    this.#child.on('error', () => (this.#isAlive = false));
    this.#child.on('exit', () => (this.#isAlive = false));
    this.unrefProcess();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Memory of the reader process after its latest document, in MB. */
  get residentMb(): number {
    return this.#residentMb;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /**
   * Reads one document, or renders one page. Kills the process after `timeoutMs` or when the signal aborts.
   *
   * @throws ReadingFailed, ReaderProcessExited, MemoryLimitExceeded, or the signal's reason
   */
  async readDocument(
    request: ReaderRequest,
    timeoutMs: number,
    options: ReadOptions = {},
  ): Promise<readonly Fragment[]> {
    options.signal?.throwIfAborted();
    const onAbort = (): void => {
      const reason: unknown = options.signal?.reason;
      this.#killWithReason(reason instanceof Error ? reason : new Error('reading was aborted'));
    };
    const timer = setTimeout(() => {
      this.#killWithReason(
        new ReadingFailed('reading_timed_out', `Reading the file took longer than ${timeoutMs / 1_000} seconds.`),
      );
    }, timeoutMs);
    options.signal?.addEventListener('abort', onAbort);
    refChild(this.#child);
    try {
      return await this.#sendRequest(request, options);
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Allows the parent process to exit while the idle reader process is still running. */
  unrefProcess(): void {
    unrefChild(this.#child);
  }

  killProcess(): void {
    this.#killWithReason(new Error('the reader process was closed'));
  }

  #killWithReason(reason: Error): void {
    this.#killReason ??= reason;
    this.#child.kill('SIGKILL');
  }

  #sendRequest(
    request: ReaderRequest,
    { onProgress, onPages, onImage, onPicture, onPeakMemory }: ReadOptions,
  ): Promise<readonly Fragment[]> {
    const child = this.#child;
    const fragments: Fragment[] = [];
    return new Promise<readonly Fragment[]>((resolve, reject) => {
      const onMessage = (message: unknown): void => {
        const answer = message as ReadAnswer; // the process runs reader-process.ts, which sends nothing else
        if ('peakMemoryMb' in answer) {
          this.#residentMb = answer.memoryMb;
          onPeakMemory?.(answer.peakMemoryMb);
        }
        if (answer.type === 'progress') onProgress?.(answer.progress);
        else if (answer.type === 'fragments') fragments.push(...answer.fragments);
        else if (answer.type === 'image') onImage?.(answer.image);
        else if (answer.type === 'picture') onPicture?.(answer.rendered);
        else if (answer.type === 'finished') {
          if (answer.pages !== undefined) onPages?.(answer.pages);
          resolve(fragments);
        } else reject(new ReadingFailed(answer.code, answer.message));
      };
      // Node emits `close` after all output of the child process has been read.
      const onClose = (code: number | null, signal: NodeJS.Signals | null): void => {
        reject(this.#createExitError(code, signal));
      };
      const onError = (error: Error): void => {
        reject(this.#killReason ?? error);
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

  #createExitError(code: number | null, signal: NodeJS.Signals | null): Error {
    if (this.#killReason !== undefined) return this.#killReason;
    if (isMemoryExit(signal, this.#errors())) return new MemoryLimitExceeded(this.#memoryMb);
    return new ReaderProcessExited({ code, signal }, this.#errors());
  }
}

/** Maximum size of V8's heap in a reader process, as a share of the memory limit of the process. */
const HEAP_SHARE = 0.75;

/** Starts a reader process that has no environment variables, and can neither write files nor start programs. */
function startReaderProcess(memoryMb: number): ChildProcess {
  const { entry, execArgv } = resolveChildEntry(import.meta.url, './reader-process.js');
  return fork(entry, [String(memoryMb)], {
    env: {},
    execArgv: [
      `--max-old-space-size=${Math.floor(memoryMb * HEAP_SHARE)}`,
      '--permission',
      '--allow-fs-read=*',
      '--allow-worker',
      '--no-warnings',
      ...execArgv,
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}
