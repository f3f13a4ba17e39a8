import type { Fragment } from '../splitting/fragment.js';
import type { ReaderRequest } from './reader-messages.js';
import type { ReaderProcessHandle, ReadOptions } from './reader-process-handle.js';

/** Maximum memory of an idle process, as a share of its limit. A process that uses more is replaced. */
const MAX_RESIDENT_SHARE = 0.6;

export interface PoolSettings {
  readonly documentsPerProcess: number;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly startProcess: (memoryMb: number) => ReaderProcessHandle;
}

export interface PooledProcess {
  readonly process: ReaderProcessHandle;
  /** Number of documents that the process has read. */
  documents: number;
}

/** Starts processes on demand and reuses them until they reach their number of documents or a document fails. */
export class ReaderProcessPool {
  readonly #settings: PoolSettings;
  readonly #idle: PooledProcess[] = [];
  readonly #busy = new Set<PooledProcess>();
  #isClosed = false;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
  }

  /** Returns an idle process, or else a new one. */
  takeProcess(): PooledProcess {
    let idle = this.#idle.pop();
    while (idle?.process.isAlive === false) idle = this.#idle.pop();
    return idle ?? this.startPooled();
  }

  startPooled(): PooledProcess {
    if (this.#isClosed) throw new Error('the document reader was closed');
    const { startProcess, memoryMb } = this.#settings;
    return { process: startProcess(memoryMb), documents: 0 };
  }

  /** Reads a document with a process, which returns to the pool afterwards or ends. */
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
      else this.#idle.push(pooled);
      return fragments;
    } catch (error) {
      process.killProcess();
      throw error;
    } finally {
      this.#busy.delete(pooled);
      process.unrefProcess();
    }
  }

  closePool(): void {
    this.#isClosed = true;
    for (const { process } of [...this.#idle.splice(0), ...this.#busy]) process.killProcess();
  }
}
