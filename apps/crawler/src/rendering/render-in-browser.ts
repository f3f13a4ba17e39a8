import type { Browser } from 'playwright-core';
import type { ChromiumSettings } from './chromium.js';
import { interceptRequests, type FetchForPage } from './intercept-requests.js';
import type { PageToRender } from './renderer.js';

export interface RenderingSettings extends ChromiumSettings {
  /** Time limit for rendering one page, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum size of the rendered HTML in UTF-8, in bytes. */
  readonly maxBytes: number;
  readonly userAgent: string;
}

/** Share of the rendering time limit after which a page that still sends requests is read in its current state. */
const NETWORK_IDLE_SHARE = 0.7;

/** Renders a page in a new tab, and returns its HTML. @throws Error if the page exceeds a limit or cannot be rendered */
export async function renderInBrowser(
  browser: Browser,
  page: PageToRender,
  { userAgent, timeoutMs, maxBytes }: RenderingSettings,
  fetchForPage: FetchForPage,
): Promise<string> {
  const context = await browser.newContext({ userAgent, serviceWorkers: 'block', acceptDownloads: false });
  await interceptRequests(context, page, fetchForPage);
  const tab = await context.newPage();
  tab.on('popup', (popup) => void popup.close().catch(() => undefined));
  tab.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
  const timeout = Math.ceil(timeoutMs * NETWORK_IDLE_SHARE);
  await tab.goto(page.url, { waitUntil: 'networkidle', timeout }).catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'TimeoutError')) throw error;
  });
  const html = await tab.content();
  if (tab.url().startsWith('chrome-error:')) throw new Error('expected the page, found an error page of the browser');
  const size = Buffer.byteLength(html);
  if (size > maxBytes) throw new Error(`expected at most ${maxBytes} bytes of rendered HTML, found ${size}`);
  await context.close();
  return html;
}
