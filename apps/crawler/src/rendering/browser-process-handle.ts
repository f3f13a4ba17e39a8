import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { captureErrorOutput, resolveChildEntry } from '@quarry/child-process';
import { rejectOnAbort } from '@quarry/cancellation';
import type { BrowserAnswer, BrowserRequest, ResourceRequest } from './browser-messages.js';
import type { RenderingSettings } from './render-in-browser.js';
import type { PageToRender } from './renderer.js';
import type { FetchResource } from './resource-fetcher.js';

export interface RenderParts {
  readonly fetchResource: FetchResource;
  readonly signal: AbortSignal;
}

/** Maximum size of V8's heap in a browser process, in megabytes. */
const HEAP_MB = 512;
/** Time after which a browser process that does not exit is killed, in milliseconds. */
const EXIT_TIMEOUT_MS = 5_000;

/**
 * Controls a child process that runs a browser and renders pages, one at a time. Messages of the browser can contain
 * hundreds of megabytes of a page's output, which can crash the process that parses them.
 */
export class BrowserProcess {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #errors: () => string;

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
    this.#errors = captureErrorOutput(child);
    child.on('error', () => undefined);
  }

  /** Starts a process and its browser. @throws Error with the reason if the browser does not start */
  static async start(settings: RenderingSettings): Promise<BrowserProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'quarry-browser-'));
    const started = new BrowserProcess(forkBrowserProcess(settings, folder), folder);
    try {
      await started.#receiveAnswer();
      return started;
    } catch (error) {
      await started.stop();
      throw error;
    }
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isAlive(): boolean {
    const { pid, exitCode, signalCode } = this.#child;
    return pid !== undefined && exitCode === null && signalCode === null;
  }

  /**
   * Returns the HTML of a page after its scripts have run. If it throws, the process cannot be reused.
   *
   * @throws Error if the browser or the process fails; the signal's reason
   */
  async renderPage(page: PageToRender, { fetchResource, signal }: RenderParts): Promise<string> {
    const rendered = this.#receiveAnswer(async ({ id, url, headers }) => {
      const resource = await fetchResource(url, headers, signal).catch(() => undefined);
      this.#sendRequest({ type: 'resource', id, resource });
    });
    this.#sendRequest({ type: 'render', page });
    return rejectOnAbort(rendered, signal);
  }

  /** Ends the process and its browser, and removes their files. Never throws. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (this.isAlive) {
      const timer = setTimeout(() => child.kill('SIGKILL'), EXIT_TIMEOUT_MS);
      const exited = once(child, 'exit');
      if (child.connected) child.disconnect();
      await exited;
      clearTimeout(timer);
    }
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }

  /** Returns the HTML of the next answer, or '' if it contains none. @throws Error if the process fails or exits */
  #receiveAnswer(onFetch?: (request: ResourceRequest) => Promise<void>): Promise<string> {
    const child = this.#child;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const onMessage = (message: unknown): void => {
      const answer = message as BrowserAnswer; // the process runs browser-process.ts, which sends nothing else
      if (answer.type === 'fetch') void onFetch?.(answer);
      else if (answer.type === 'failed') reject(new Error(answer.message));
      else resolve(answer.type === 'rendered' ? answer.html : '');
    };
    // Node emits `close` after all output of the child process has been read.
    const onClose = (code: number | null, signal: NodeJS.Signals | null): void => {
      reject(new Error(`the process of the browser exited: ${signal ?? `code ${code}`}\n${this.#errors()}`));
    };
    child.on('message', onMessage).on('close', onClose).on('error', reject);
    return promise.finally(() => {
      child.off('message', onMessage).off('close', onClose).off('error', reject);
    });
  }

  /** Sends a message. A process that has ended ignores it, and its `close` event rejects the answer. */
  #sendRequest(request: BrowserRequest): void {
    if (this.#child.connected) this.#child.send(request, () => undefined);
  }
}

/** Starts a browser process without the environment of the crawler, which contains secrets. */
function forkBrowserProcess(settings: RenderingSettings, folder: string): ChildProcess {
  const { entry, execArgv } = resolveChildEntry(import.meta.url, './browser-process.js');
  return fork(entry, [JSON.stringify(settings)], {
    env: { TMPDIR: folder },
    execArgv: [`--max-old-space-size=${HEAP_MB}`, '--no-warnings', ...execArgv],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}
