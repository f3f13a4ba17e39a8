import { Worker } from 'node:worker_threads';
import { resolveChildEntry } from '@quarry/child-process';
import type { HtmlInput, HtmlPage } from './read-html.js';
import type { HtmlReply, HtmlThreadMessage } from './html-worker.js';

export { PageUnreadable };

export interface HtmlReaderSettings extends PageLimits {
  /** Number of worker threads that read pages. */
  readonly threads: number;
}

/**
 * Reads HTML in worker threads, so that a page can neither block the event loop nor exhaust the memory of the process.
 */
export interface HtmlReader {
  /**
   * Reads a page.
   *
   * @throws PageUnreadable if the page exceeds a limit or cannot be parsed; Error if the reader is closed
   */
  read(input: HtmlInput): Promise<HtmlPage>;
  /** Terminates the threads. Rejects the reads in progress and the reads that wait for a thread. */
  close(): Promise<void>;
}

interface Task {
  readonly input: HtmlInput;
  resolve(page: HtmlPage): void;
  reject(error: unknown): void;
}

/**
 * Creates a reader of HTML pages, which starts worker threads on demand, reuses them, and replaces a thread that
 * failed.
 */
export function createHtmlReader(settings: HtmlReaderSettings): HtmlReader {
  const idle: HtmlThread[] = [];
  const busy = new Set<HtmlThread>();
  const waiting: Task[] = [];

  const runNext = (): void => {
    const task = busy.size < settings.threads ? waiting.shift() : undefined;
    if (task === undefined) return;
    const thread = idle.pop() ?? new HtmlThread(settings);
    busy.add(thread);
    void readPageForTask(thread, task).then((isUsable) => {
      busy.delete(thread);
      if (isUsable) idle.push(thread);
      runNext();
    });
  };

  return {
    read: (input) =>
      new Promise((resolve, reject) => {
        waiting.push({ input, resolve, reject });
        runNext();
      }),
    close: async () => {
      for (const task of waiting.splice(0))
        task.reject(new Error('the page was not read, because the HTML reader was closed'));
      await Promise.all([...idle.splice(0), ...busy].map((thread) => thread.terminateThread()));
    },
  };
}

/** Reads a page in a thread and settles its task. @returns whether the thread can be reused */
async function readPageForTask(thread: HtmlThread, task: Task): Promise<boolean> {
  try {
    const reply = await thread.readPage(task.input);
    if (reply.ok) task.resolve(reply.page);
    else task.reject(new PageUnreadable(`expected a page that can be parsed, found: ${reply.message}`));
    return true;
  } catch (error) {
    task.reject(error);
    await thread.terminateThread();
    return false;
  }
}

/** Reports that a page cannot be read. A retry cannot succeed. */
class PageUnreadable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PageUnreadable';
  }
}

interface PageLimits {
  /** Time limit for one page, in milliseconds. */
  readonly timeoutMs: number;
  /** Memory limit for one page, in megabytes. */
  readonly memoryMb: number;
}

/** Runs a worker thread that reads one page at a time. */
class HtmlThread {
  readonly #worker: Worker;
  readonly #limits: PageLimits;
  readonly #ready: Promise<HtmlThreadMessage>;

  constructor(limits: PageLimits) {
    this.#limits = limits;
    this.#worker = startHtmlWorker(limits.memoryMb);
    this.#ready = this.#nextMessage();
    this.#ready.catch(() => undefined);
  }

  /**
   * Reads a page. The time limit starts when the thread is ready.
   *
   * @throws PageUnreadable if the page exceeds a limit; Error if the thread has exited. In both cases, the thread
   * cannot be reused
   */
  async readPage(input: HtmlInput): Promise<HtmlReply> {
    await this.#ready;
    const reply = this.#nextMessage();
    this.#worker.postMessage(input);
    const { promise: timeout, reject } = Promise.withResolvers<never>();
    const { timeoutMs } = this.#limits;
    const timer = setTimeout(() => {
      reject(new PageUnreadable(`expected to read the page within ${timeoutMs} ms, found that it takes longer`));
    }, timeoutMs);
    try {
      const message = await Promise.race([reply, timeout]);
      if (message.kind === 'reply') return message;
      throw new Error('expected a reply from the HTML thread, found its start message');
    } finally {
      clearTimeout(timer);
      reply.catch(() => undefined);
    }
  }

  async terminateThread(): Promise<void> {
    await this.#worker.terminate();
  }

  #nextMessage(): Promise<HtmlThreadMessage> {
    return new Promise((resolve, reject) => {
      const removeListeners = (): void => {
        this.#worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      };
      const onMessage = (message: HtmlThreadMessage): void => {
        removeListeners();
        resolve(message);
      };
      const onError = (error: NodeJS.ErrnoException): void => {
        removeListeners();
        reject(toReadError(error, this.#limits));
      };
      const onExit = (): void => {
        removeListeners();
        reject(new Error('expected a message from the HTML thread, found that the thread exited'));
      };
      this.#worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    });
  }
}

function toReadError(error: NodeJS.ErrnoException, { memoryMb }: PageLimits): Error {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  const message = `expected to read the page with ${memoryMb} MB of memory, found that it takes more`;
  return new PageUnreadable(message, { cause: error });
}

function startHtmlWorker(memoryMb: number): Worker {
  const { entry, execArgv } = resolveChildEntry(import.meta.url, './html-worker.js');
  const worker = new Worker(entry, {
    execArgv: [...execArgv],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  // An idle thread does not prevent the process from exiting, and its error does not end the process.
  worker.unref();
  worker.on('error', () => undefined);
  return worker;
}
