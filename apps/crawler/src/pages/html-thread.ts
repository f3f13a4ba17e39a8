import { Worker } from 'node:worker_threads';
import { resolveChildEntry } from '@quarry/child-process';
import type { HtmlReply, HtmlThreadMessage } from './html/html-worker.js';
import type { HtmlInput } from './html/read-html.js';

/** A page cannot be read, and reading it again cannot help. */
export class PageUnreadable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PageUnreadable';
  }
}

export interface PageLimits {
  /** How long one page may take. */
  readonly timeoutMs: number;
  /** How much one page may take. */
  readonly memoryMb: number;
}

/** A thread that reads HTML, one page at a time. */
export class HtmlThread {
  readonly #worker: Worker;
  readonly #limits: PageLimits;
  readonly #ready: Promise<HtmlThreadMessage>;

  constructor(limits: PageLimits) {
    this.#limits = limits;
    this.#worker = startWorker(limits.memoryMb);
    this.#ready = this.#nextMessage();
    this.#ready.catch(() => undefined);
  }

  /**
   * The time that the thread takes to start is not the page's.
   *
   * @throws PageUnreadable when the page takes too long or too much memory; Error when the thread was ended. After either it
   * reads no more
   */
  async read(input: HtmlInput): Promise<HtmlReply> {
    await this.#ready;
    const reply = this.#nextMessage();
    this.#worker.postMessage(input);
    const { promise: late, reject } = Promise.withResolvers<never>();
    const { timeoutMs } = this.#limits;
    const timer = setTimeout(() => {
      reject(new PageUnreadable(`expected a page that is read within ${timeoutMs} ms, found that it takes longer`));
    }, timeoutMs);
    try {
      const message = await Promise.race([reply, late]);
      if (message.kind === 'reply') return message;
      throw new Error('expected what was read, found that the thread has only started');
    } finally {
      clearTimeout(timer);
      reply.catch(() => undefined);
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #nextMessage(): Promise<HtmlThreadMessage> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        this.#worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      };
      const onMessage = (message: HtmlThreadMessage): void => {
        settle();
        resolve(message);
      };
      const onError = (error: NodeJS.ErrnoException): void => {
        settle();
        reject(explained(error, this.#limits));
      };
      const onExit = (): void => {
        settle();
        reject(new Error('the thread that reads pages was ended'));
      };
      this.#worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    });
  }
}

function explained(error: NodeJS.ErrnoException, { memoryMb }: PageLimits): Error {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  const message = `expected a page that is read with ${memoryMb} MB of memory, found that it takes more`;
  return new PageUnreadable(message, { cause: error });
}

function startWorker(memoryMb: number): Worker {
  const { entry, execArgv } = resolveChildEntry(import.meta.url, './html/html-worker.js');
  const worker = new Worker(entry, {
    execArgv: [...execArgv],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  // An idle thread does not keep the process alive; one whose end nobody waits for must not end the process.
  worker.unref();
  worker.on('error', () => undefined);
  return worker;
}
