import type { BrowserContext, Route } from 'playwright-core';
import type { FetchResource } from './page-resources.js';
import type { PageToRender } from './renderer.js';

/** A page that asks for more gets no more. */
const MAX_REQUESTS = 200;
/** What a page's text may depend on. */
const FETCHED = new Set(['script', 'xhr', 'fetch']);
const REFUSED = 'blockedbyclient';

/**
 * Puts itself between the tabs of a browser context and the network, of which they reach nothing by themselves: the page is the one
 * that is there already, what it asks for comes from `fetchResource`, and everything else is refused. It can only ask, never send.
 */
export async function guardPage(
  context: BrowserContext,
  page: PageToRender,
  fetchResource: FetchResource,
  signal: AbortSignal,
): Promise<void> {
  let requests = 0;
  await context.routeWebSocket(/.*/, (socket) => socket.close());
  await context.route(/.*/, async (route) => {
    requests += 1;
    const answer = requests > MAX_REQUESTS ? route.abort(REFUSED) : answerTo(route, page, fetchResource, signal);
    // The tab may be gone before its answer comes.
    await answer.catch(() => undefined);
  });
}

async function answerTo(
  route: Route,
  page: PageToRender,
  fetchResource: FetchResource,
  signal: AbortSignal,
): Promise<void> {
  const request = route.request();
  const type = request.resourceType();
  if (type === 'document') return answerNavigation(route, page);
  if (type === 'stylesheet') return route.fulfill({ status: 200, contentType: 'text/css', body: '' });
  if (request.method() !== 'GET' || !FETCHED.has(type)) return route.abort(REFUSED);
  const resource = await fetchResource(request.url(), headersOf(request.headers()), signal).catch(() => undefined);
  if (resource === undefined) return route.abort(REFUSED);
  const { status, headers, bytes } = resource;
  return route.fulfill({ status, headers, body: Buffer.from(bytes) });
}

/** Where a script wants to go on to another page, the tab stays: this one is what was asked for. */
async function answerNavigation(route: Route, page: PageToRender): Promise<void> {
  const request = route.request();
  if (request.frame().parentFrame() !== null) return route.abort(REFUSED);
  return route.fulfill(request.url() === page.address ? given(page) : { status: 204 });
}

function given({ bytes, contentType }: PageToRender): Parameters<Route['fulfill']>[0] {
  return { status: 200, contentType, body: Buffer.from(bytes) };
}

function headersOf(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { accept = '*/*', origin } = headers;
  return { accept, ...(origin !== undefined && { origin }) };
}
