import { HtmlThread, PageUnreadable, type PageLimits } from './html-thread.js';
import type { HtmlInput, HtmlPage } from './html/read-html.js';

export { PageUnreadable };

export interface HtmlReaderSettings extends PageLimits {
  /** Number of threads. */
  readonly threads: number;
}

/** Reads HTML in worker threads, so that a page can neither block the event loop nor exhaust the memory of the process. */
export interface HtmlReader {
  /** Reads a page. @throws PageUnreadable if the page exceeds a limit or cannot be parsed; Error if the reader is closed */
  read(input: HtmlInput): Promise<HtmlPage>;
  /** Terminates the threads. Active reads fail. */
  close(): Promise<void>;
}

interface Task {
  readonly input: HtmlInput;
  resolve(page: HtmlPage): void;
  reject(error: unknown): void;
}

/** Creates a reader of HTML pages, which starts worker threads on demand, reuses them, and replaces a thread that failed. */
export function createHtmlReader(settings: HtmlReaderSettings): HtmlReader {
  const idle: HtmlThread[] = [];
  const busy = new Set<HtmlThread>();
  const waiting: Task[] = [];

  const runNext = (): void => {
    const task = busy.size < settings.threads ? waiting.shift() : undefined;
    if (task === undefined) return;
    const thread = idle.pop() ?? new HtmlThread(settings);
    busy.add(thread);
    void runTask(thread, task).then((isUsable) => {
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
      for (const task of waiting.splice(0)) task.reject(new Error('the HTML reader was closed'));
      await Promise.all([...idle.splice(0), ...busy].map((thread) => thread.terminate()));
    },
  };
}

/** Reads a page in a thread and settles its task. @returns whether the thread can be reused */
async function runTask(thread: HtmlThread, task: Task): Promise<boolean> {
  try {
    const reply = await thread.read(task.input);
    if (reply.ok) task.resolve(reply.page);
    else task.reject(new PageUnreadable(`expected a page that can be parsed, found: ${reply.message}`));
    return true;
  } catch (error) {
    task.reject(error);
    await thread.terminate();
    return false;
  }
}
