import type { BrowserContext, Route } from 'playwright-core';
import type { PageToRender } from './renderer.js';
import type { Resource } from './resource-fetcher.js';

/** Maximum number of requests that one page may send while it is rendered. Further requests are blocked. */
const MAX_REQUESTS = 200;
/** Maximum length of the URL and the headers of a request together, in characters. */
const MAX_REQUEST_LENGTH = 16_384;
/** Lists the types of requests that are sent to the server, because they can change the text of a page. */
const FETCHED_TYPES = new Set(['script', 'xhr', 'fetch']);
const BLOCKED = 'blockedbyclient';

/** Fetches a script or data for a page. Returns undefined if the request is blocked. */
export type FetchForPage = (url: string, headers: Readonly<Record<string, string>>) => Promise<Resource | undefined>;

/**
 * Responds to all requests of a browser context, which has no network access. The request for the page itself gets the
 * content that the crawler has already fetched. GET requests for scripts and data get the response that `fetchForPage`
 * fetches from the server. Requests for style sheets and navigations to other pages get an empty response. All other
 * requests are blocked.
 */
export async function interceptRequests(
  context: BrowserContext,
  page: PageToRender,
  fetchForPage: FetchForPage,
): Promise<void> {
  let requests = 0;
  await context.routeWebSocket(/.*/, (socket) => socket.close());
  await context.route(/.*/, async (route) => {
    requests += 1;
    const handled = requests > MAX_REQUESTS ? route.abort(BLOCKED) : respondToRequest(route, page, fetchForPage);
    // The tab may be closed before its response arrives.
    await handled.catch(() => undefined);
  });
}

async function respondToRequest(route: Route, page: PageToRender, fetchForPage: FetchForPage): Promise<void> {
  const request = route.request();
  const type = request.resourceType();
  if (type === 'document') return respondToNavigation(route, page);
  if (type === 'stylesheet') return route.fulfill({ status: 200, contentType: 'text/css', body: '' });
  if (request.method() !== 'GET' || !FETCHED_TYPES.has(type)) return route.abort(BLOCKED);
  const headers = selectForwardedHeaders(request.headers());
  const length = [request.url(), ...Object.values(headers)].join('').length;
  const resource = length > MAX_REQUEST_LENGTH ? undefined : await fetchForPage(request.url(), headers);
  if (resource === undefined) return route.abort(BLOCKED);
  return route.fulfill({ status: resource.status, headers: resource.headers, body: Buffer.from(resource.bytes) });
}

/**
 * Responds to a navigation. If it leads to the page's URL, the response is the content that the crawler has already
 * fetched. Otherwise the response is an empty 204, so that the tab stays on the page. Navigations of embedded frames
 * are blocked.
 */
async function respondToNavigation(route: Route, page: PageToRender): Promise<void> {
  const request = route.request();
  if (request.frame().parentFrame() !== null) return route.abort(BLOCKED);
  return route.fulfill(request.url() === page.url ? buildPageResponse(page) : { status: 204 });
}

function buildPageResponse({ bytes, contentType }: PageToRender): Parameters<Route['fulfill']>[0] {
  return { status: 200, contentType, body: Buffer.from(bytes) };
}

function selectForwardedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { accept = '*/*', origin } = headers;
  return { accept, ...(origin !== undefined && { origin }) };
}
