import type { Fragment } from '../splitting/fragment.js';
import type { ReaderRequest } from './reader-messages.js';
import type { ReaderProcessHandle, ReadOptions } from './reader-process-handle.js';

/** Maximum memory of an idle reader process, as a share of its memory limit. The pool ends a process that uses more. */
const MAX_RESIDENT_SHARE = 0.6;

export interface PoolSettings {
  readonly documentsPerProcess: number;
  readonly idleMs: number;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly startProcess: (memoryMb: number) => ReaderProcessHandle;
}

export interface PooledProcess {
  readonly process: ReaderProcessHandle;
  /** Number of documents that the process has read. */
  documents: number;
  /** Timer that ends the process when it has been idle for `idleMs`. */
  idleTimer?: NodeJS.Timeout;
}

/**
 * Starts reader processes on demand. Reuses a process until it has read `documentsPerProcess` documents, a document
 * fails, or the process has been idle for `idleMs`.
 */
export class ReaderProcessPool {
  readonly #settings: PoolSettings;
  readonly #idle: PooledProcess[] = [];
  readonly #busy = new Set<PooledProcess>();
  #isClosed = false;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
  }

  /**
   * Returns the process that became idle last, and removes this process from the idle processes. Starts a new process
   * if none is idle.
   */
  acquireProcess(): PooledProcess {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      clearTimeout(idle.idleTimer);
      if (idle.process.isAlive) return idle;
    }
    return this.startPooledProcess();
  }

  startPooledProcess(): PooledProcess {
    if (this.#isClosed) throw new Error('the document reader was closed');
    const { startProcess, memoryMb } = this.#settings;
    return { process: startProcess(memoryMb), documents: 0 };
  }

  /**
   * Reads a document with a process. Afterwards, ends the process if reading failed, or if the process has reached its
   * limit of documents or memory. Otherwise adds the process to the idle processes.
   */
  async readDocument(
    pooled: PooledProcess,
    request: ReaderRequest,
    options: ReadOptions,
  ): Promise<readonly Fragment[]> {
    const { timeoutMs, memoryMb, documentsPerProcess } = this.#settings;
    const { process } = pooled;
    this.#busy.add(pooled);
    try {
      const fragments = await process.readDocument(request, timeoutMs, options);
      pooled.documents += 1;
      const isLarge = process.residentMb > memoryMb * MAX_RESIDENT_SHARE;
      if (isLarge || pooled.documents >= documentsPerProcess) process.killProcess();
      else this.#addIdleProcess(pooled);
      return fragments;
    } catch (error) {
      process.killProcess();
      throw error;
    } finally {
      this.#busy.delete(pooled);
      process.unrefProcess();
    }
  }

  #addIdleProcess(pooled: PooledProcess): void {
    this.#idle.push(pooled);
    pooled.idleTimer = setTimeout(() => {
      this.#idle.splice(this.#idle.indexOf(pooled), 1);
      pooled.process.killProcess();
    }, this.#settings.idleMs);
    pooled.idleTimer.unref();
  }

  closePool(): void {
    this.#isClosed = true;
    for (const { process, idleTimer } of [...this.#idle.splice(0), ...this.#busy]) {
      clearTimeout(idleTimer);
      process.killProcess();
    }
  }
}
