import type { BrowserAnswer, BrowserRequest } from './browser-messages.js';
import { launchChromium } from './chromium.js';
import { renderInBrowser, type RenderingSettings } from './render-in-browser.js';
import type { PageToRender } from './renderer.js';
import type { Resource } from './resource-fetcher.js';

const settings = JSON.parse(process.argv[2] ?? '') as RenderingSettings; // browser-process-handle.ts passes only these
const browser = launchChromium(settings);
const waiting = new Map<number, (resource: Resource | undefined) => void>();
let lastId = 0;

// playwright kills the browser when this process exits, also after the crawler has crashed.
process.on('disconnect', () => process.exit());
// A terminal sends these signals to the whole process group. The crawler then still renders its last page.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
process.on('message', (message) => {
  const request = message as BrowserRequest; // only browser-process-handle.ts sends messages to this process
  if (request.type === 'render') void sendOutcome(renderToAnswer(request.page));
  else {
    waiting.get(request.id)?.(request.resource);
    waiting.delete(request.id);
  }
});
void sendOutcome(browser.then(() => ({ type: 'started' })));

async function renderToAnswer(page: PageToRender): Promise<BrowserAnswer> {
  return { type: 'rendered', html: await renderInBrowser(await browser, page, settings, fetchInCrawler) };
}

async function sendOutcome(outcome: Promise<BrowserAnswer>): Promise<void> {
  try {
    sendAnswer(await outcome);
  } catch (cause) {
    sendAnswer({ type: 'failed', message: cause instanceof Error ? cause.message : String(cause) });
  }
}

function fetchInCrawler(url: string, headers: Readonly<Record<string, string>>): Promise<Resource | undefined> {
  const id = (lastId += 1);
  const { promise, resolve } = Promise.withResolvers<Resource | undefined>();
  waiting.set(id, resolve);
  sendAnswer({ type: 'fetch', id, url, headers });
  return promise;
}

function sendAnswer(answer: BrowserAnswer): void {
  process.send?.(answer);
}
