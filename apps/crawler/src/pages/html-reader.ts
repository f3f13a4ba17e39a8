import { HtmlThread, PageUnreadable, type PageLimits } from './html-thread.js';
import type { HtmlInput, HtmlPage } from './html/read-html.js';

export { PageUnreadable };

export interface HtmlReaderSettings extends PageLimits {
  /** Threads that read at the same time. */
  readonly threads: number;
}

/** Reads HTML away from the event loop, so that a page can neither block it nor use up its memory. */
export interface HtmlReader {
  /** @throws PageUnreadable when the page takes too long, too much memory, or cannot be read; Error when the reader is closed */
  read(input: HtmlInput): Promise<HtmlPage>;
  /** Ends the threads; what is being read fails. */
  close(): Promise<void>;
}

interface Task {
  readonly input: HtmlInput;
  resolve(page: HtmlPage): void;
  reject(error: unknown): void;
}

/** Threads are started when they are needed, kept, and replaced when a page has broken one. */
export function htmlReader(settings: HtmlReaderSettings): HtmlReader {
  const idle: HtmlThread[] = [];
  const busy = new Set<HtmlThread>();
  const waiting: Task[] = [];

  const next = (): void => {
    const task = busy.size < settings.threads ? waiting.shift() : undefined;
    if (task === undefined) return;
    const thread = idle.pop() ?? new HtmlThread(settings);
    busy.add(thread);
    void runTask(thread, task).then((isUsable) => {
      busy.delete(thread);
      if (isUsable) idle.push(thread);
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
      for (const task of waiting.splice(0)) task.reject(new Error('the reader of pages was closed'));
      await Promise.all([...idle.splice(0), ...busy].map((thread) => thread.end()));
    },
  };
}

/** @returns whether the thread can be used again */
async function runTask(thread: HtmlThread, task: Task): Promise<boolean> {
  try {
    const reply = await thread.read(task.input);
    if (reply.ok) task.resolve(reply.page);
    else task.reject(new PageUnreadable(`the page could not be read: ${reply.message}`));
    return true;
  } catch (error) {
    task.reject(error);
    await thread.end();
    return false;
  }
}
