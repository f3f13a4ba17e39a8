import { Worker } from 'node:worker_threads';
import type { HtmlReply } from './html/html-worker.js';
import type { HtmlInput, HtmlPage } from './html/read-html.js';

export interface HtmlReaderSettings {
  /** Threads that read at the same time. */
  readonly threads: number;
  /** How long one page may take. */
  readonly timeoutMs: number;
  /** How much one page may take. */
  readonly memoryMb: number;
}

/** Reads HTML away from the event loop, so that a page can neither block it nor use up its memory. */
export interface HtmlReader {
  /** @throws PageUnreadable when the page takes too long, too much memory, or cannot be read */
  read(input: HtmlInput): Promise<HtmlPage>;
  /** Ends the threads; pages that are being read fail. */
  close(): Promise<void>;
}

export class PageUnreadable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PageUnreadable';
  }
}

interface Task {
  readonly input: HtmlInput;
  resolve(page: HtmlPage): void;
  reject(error: Error): void;
}

/** Threads are started when they are needed, kept, and replaced when a page has broken one. */
export function htmlReader(settings: HtmlReaderSettings): HtmlReader {
  const idle: Worker[] = [];
  const busy = new Set<Worker>();
  const waiting: Task[] = [];

  const next = (): void => {
    const task = busy.size < settings.threads ? waiting.shift() : undefined;
    if (task === undefined) return;
    const worker = idle.pop() ?? startWorker(settings.memoryMb);
    busy.add(worker);
    void runTask(worker, task, settings).then((isUsable) => {
      busy.delete(worker);
      if (isUsable) idle.push(worker);
      next();
    });
  };

  return {
    read: (input) =>
      new Promise((resolve, reject) => {
        waiting.push({ input, resolve, reject });
        next();
      }),
    close: async () => {
      for (const task of waiting.splice(0)) task.reject(new PageUnreadable('the reader was closed'));
      await Promise.all([...idle.splice(0), ...busy].map((worker) => worker.terminate()));
    },
  };
}

/** @returns whether the thread can be used again */
async function runTask(worker: Worker, task: Task, settings: HtmlReaderSettings): Promise<boolean> {
  try {
    const reply = await answerOf(worker, task.input, settings);
    if (reply.ok) task.resolve(reply.page);
    else task.reject(new PageUnreadable(`the page could not be read: ${reply.message}`));
    return true;
  } catch (cause) {
    task.reject(cause instanceof PageUnreadable ? cause : new PageUnreadable('the page could not be read', { cause }));
    await worker.terminate();
    return false;
  }
}

function answerOf(worker: Worker, input: HtmlInput, { timeoutMs, memoryMb }: HtmlReaderSettings): Promise<HtmlReply> {
  return new Promise((resolve, reject) => {
    const fail = (message: string, cause?: unknown): void => {
      settle();
      reject(new PageUnreadable(message, { cause }));
    };
    const onMessage = (reply: HtmlReply): void => {
      settle();
      resolve(reply);
    };
    const onError = (error: NodeJS.ErrnoException): void => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      fail(
        isMemory
          ? `expected a page that is read with ${memoryMb} MB of memory, found that it takes more`
          : error.message,
        error,
      );
    };
    const onExit = (): void => {
      fail('the thread that read the page has ended');
    };
    const late = setTimeout(() => {
      fail(`expected a page that is read within ${timeoutMs} ms, found that it takes longer`);
    }, timeoutMs);
    const settle = (): void => {
      clearTimeout(late);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    };
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(input);
  });
}

/** How the worker thread finds `.ts` behind the `.js` of an import when the sources run as they are, as in tests. */
const RUN_SOURCES = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (name, context, next) =>
      next(name.startsWith('.') && context.parentURL?.endsWith('.ts') ? name.replace(/\\.js$/, '.ts') : name, context),
  });
  await import(${JSON.stringify(new URL('./html/html-worker.ts', import.meta.url).href)});
`;

function startWorker(memoryMb: number): Worker {
  const entry = import.meta.url.endsWith('.ts')
    ? new URL(`data:text/javascript,${encodeURIComponent(RUN_SOURCES)}`)
    : new URL('./html/html-worker.js', import.meta.url);
  const worker = new Worker(entry, {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  // An idle thread does not keep the process alive; one whose end nobody waits for must not end the process.
  worker.unref();
  worker.on('error', () => undefined);
  return worker;
}
