import { BrowserProcess } from './browser-process-handle.js';
import type { RenderingSettings } from './render-in-browser.js';
import { RenderingFailed, type PageToRender, type Renderer } from './renderer.js';
import type { FetchResource } from './resource-fetcher.js';

/** Number of rendered pages after which the browser is restarted, to free its memory. */
const MAX_PAGES_PER_BROWSER = 50;

/** Creates a renderer that renders one page at a time. The renderer starts its browser for the first page. */
export function createChromiumRenderer(settings: RenderingSettings, fetchResource: FetchResource): Renderer {
  let browser: BrowserProcess | undefined;
  let pages = 0;
  let queue: Promise<unknown> = Promise.resolve();

  const stopBrowser = async (): Promise<void> => {
    const stopped = browser;
    browser = undefined;
    pages = 0;
    await stopped?.stop();
  };

  const renderNextPage = async (page: PageToRender, signal: AbortSignal): Promise<string> => {
    signal.throwIfAborted();
    if (pages >= MAX_PAGES_PER_BROWSER || browser?.isAlive === false) await stopBrowser();
    browser ??= await startBrowser(settings);
    pages += 1;
    const timeoutSignal = AbortSignal.timeout(settings.timeoutMs);
    const combined = AbortSignal.any([signal, timeoutSignal]);
    try {
      return await browser.renderPage(page, { fetchResource, signal: combined });
    } catch (cause) {
      // Only a killed browser reliably ends a tab that hangs.
      await stopBrowser();
      signal.throwIfAborted();
      if (timeoutSignal.aborted)
        throw new RenderingFailed(
          `expected the page to render within ${settings.timeoutMs} ms, found that it takes longer`,
          { cause },
        );
      throw new RenderingFailed(`the browser failed to render the page: ${getFirstLineOfMessage(cause)}`, { cause });
    }
  };

  return {
    render: (page, signal) => {
      const rendered = queue.then(() => renderNextPage(page, signal));
      queue = rendered.catch(() => undefined);
      return rendered;
    },
    close: stopBrowser,
  };
}

async function startBrowser(settings: RenderingSettings): Promise<BrowserProcess> {
  try {
    return await BrowserProcess.start(settings);
  } catch (cause) {
    throw new RenderingFailed(getFirstLineOfMessage(cause), { cause });
  }
}

function getFirstLineOfMessage(cause: unknown): string {
  return String(cause instanceof Error ? cause.message : cause).split('\n')[0] ?? '';
}
