import { rejectOnAbort } from '@quarry/cancellation';
import type { Browser } from 'playwright-core';
import { startChromium, type Chromium, type ChromiumSettings } from './chromium.js';
import { interceptRequests } from './intercept-requests.js';
import type { FetchResource } from './resource-fetcher.js';
import { RenderingFailed, type PageToRender, type Renderer } from './renderer.js';

export interface RenderingSettings extends ChromiumSettings {
  /** Time limit for rendering one page, in milliseconds. */
  readonly timeoutMs: number;
  readonly userAgent: string;
}

/** Number of rendered pages after which the browser is restarted, to free its memory. */
const MAX_PAGES_PER_BROWSER = 50;
/** Share of the rendering time limit after which a page that still sends requests is read in its current state. */
const NETWORK_IDLE_SHARE = 0.7;

/** Creates a renderer that renders one page at a time. The renderer starts its browser for the first page. */
export function createChromiumRenderer(settings: RenderingSettings, fetchResource: FetchResource): Renderer {
  let chromium: Chromium | undefined;
  let pages = 0;
  let queue: Promise<unknown> = Promise.resolve();

  const stopBrowser = async (): Promise<void> => {
    const stopped = chromium;
    chromium = undefined;
    pages = 0;
    await stopped?.stop();
  };

  const renderNextPage = async (page: PageToRender, signal: AbortSignal): Promise<string> => {
    signal.throwIfAborted();
    if (pages >= MAX_PAGES_PER_BROWSER) await stopBrowser();
    chromium ??= await startChromium(settings);
    pages += 1;
    const timeoutSignal = AbortSignal.timeout(settings.timeoutMs);
    const combined = AbortSignal.any([signal, timeoutSignal]);
    try {
      return await rejectOnAbort(
        renderInBrowser(chromium.browser, page, { settings, fetchResource, signal: combined }),
        combined,
      );
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

interface RenderParts {
  readonly settings: RenderingSettings;
  readonly fetchResource: FetchResource;
  readonly signal: AbortSignal;
}

async function renderInBrowser(browser: Browser, page: PageToRender, parts: RenderParts): Promise<string> {
  const { settings, fetchResource, signal } = parts;
  const { userAgent, timeoutMs } = settings;
  const context = await browser.newContext({ userAgent, serviceWorkers: 'block', acceptDownloads: false });
  await interceptRequests(context, page, fetchResource, signal);
  const tab = await context.newPage();
  tab.on('popup', (popup) => void popup.close().catch(() => undefined));
  tab.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
  const timeout = Math.ceil(timeoutMs * NETWORK_IDLE_SHARE);
  await tab.goto(page.url, { waitUntil: 'networkidle', timeout }).catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'TimeoutError')) throw error;
  });
  const html = await tab.content();
  if (tab.url().startsWith('chrome-error:')) throw new Error('expected the page, found an error page of the browser');
  await context.close();
  return html;
}

function getFirstLineOfMessage(cause: unknown): string {
  return String(cause instanceof Error ? cause.message : cause).split('\n')[0] ?? '';
}
