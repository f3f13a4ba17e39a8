import { rejectOnAbort } from '@quarry/cancellation';
import type { Browser } from 'playwright-core';
import { startChromium, type Chromium, type ChromiumSettings } from './chromium.js';
import { guardPage } from './guard-page.js';
import type { FetchResource } from './page-resources.js';
import { RenderingFailed, type PageToRender, type Renderer } from './renderer.js';

export interface RenderingSettings extends ChromiumSettings {
  /** For a page as a whole, in milliseconds. */
  readonly timeoutMs: number;
  readonly userAgent: string;
}

/** After so many pages the browser is replaced, with what they left in it. */
const PAGES_A_BROWSER = 50;
/** Of the time a page has: what has not come to rest by then is taken as it is. */
const SHARE_TO_REST = 0.7;

/** Renders one page at a time, in a browser that is started when the first is to be rendered. */
export function chromiumRenderer(settings: RenderingSettings, fetchResource: FetchResource): Renderer {
  let chromium: Chromium | undefined;
  let pages = 0;
  let line: Promise<unknown> = Promise.resolve();

  const endBrowser = async (): Promise<void> => {
    const ended = chromium;
    chromium = undefined;
    pages = 0;
    await ended?.end();
  };

  const renderNext = async (page: PageToRender, signal: AbortSignal): Promise<string> => {
    signal.throwIfAborted();
    if (pages >= PAGES_A_BROWSER) await endBrowser();
    chromium ??= await startChromium(settings);
    pages += 1;
    const late = AbortSignal.timeout(settings.timeoutMs);
    const either = AbortSignal.any([signal, late]);
    try {
      return await rejectOnAbort(renderIn(chromium.browser, page, { settings, fetchResource, signal: either }), either);
    } catch (cause) {
      // A tab that hangs is ended with its browser.
      await endBrowser();
      signal.throwIfAborted();
      if (late.aborted) throw new RenderingFailed(`it was not rendered within ${settings.timeoutMs} ms`, { cause });
      throw new RenderingFailed(`the browser broke down over it: ${firstLine(cause)}`, { cause });
    }
  };

  return {
    render: (page, signal) => {
      const rendered = line.then(() => renderNext(page, signal));
      line = rendered.catch(() => undefined);
      return rendered;
    },
    close: endBrowser,
  };
}

interface RenderParts {
  readonly settings: RenderingSettings;
  readonly fetchResource: FetchResource;
  readonly signal: AbortSignal;
}

async function renderIn(browser: Browser, page: PageToRender, parts: RenderParts): Promise<string> {
  const { settings, fetchResource, signal } = parts;
  const { userAgent, timeoutMs } = settings;
  const context = await browser.newContext({ userAgent, serviceWorkers: 'block', acceptDownloads: false });
  await guardPage(context, page, fetchResource, signal);
  const tab = await context.newPage();
  tab.on('popup', (popup) => void popup.close().catch(() => undefined));
  tab.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
  const timeout = Math.ceil(timeoutMs * SHARE_TO_REST);
  await tab.goto(page.address, { waitUntil: 'networkidle', timeout }).catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'TimeoutError')) throw error;
  });
  const html = await tab.content();
  if (tab.url().startsWith('chrome-error:')) throw new Error('it shows an error of its own');
  await context.close();
  return html;
}

function firstLine(cause: unknown): string {
  return String(cause instanceof Error ? cause.message : cause).split('\n')[0] ?? '';
}
