import type { Request, RequestHandler } from 'express';
import { problem } from '../problems.js';

/** Methods that change nothing (RFC 9110, section 9.2.1). */
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Compares the origin of the page that sent a request with the origin of this service. Prefers `Sec-Fetch-Site`,
 * because a proxy does not change its meaning. Browsers omit this header for plain-HTTP addresses. Without this header,
 * compares `Origin` with the host of the request.
 *
 * @returns undefined if the request has neither header, which means that no page sent it
 */
function isSameOrigin(request: Request): boolean | undefined {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = request.get('origin');
  if (origin === undefined) return undefined;
  const page = URL.parse(origin);
  return page !== null && page.host === URL.parse(`${page.protocol}//${request.host}`)?.host;
}

/**
 * Refuses a request with a session cookie if a page of another origin sent the request. A request that may change data
 * must have a matching origin. A navigation may have any origin, because the response goes to the user and not to the
 * other page.
 *
 * @throws Problem 403
 */
export function requireSameOriginPage(request: Request): void {
  const isSame = isSameOrigin(request);
  const isSafe = SAFE_METHODS.includes(request.method);
  const isNavigation = request.get('sec-fetch-mode') === 'navigate';
  if (isSame === true || (isSafe && (isSame === undefined || isNavigation))) return;
  throw createCrossOriginProblem(request);
}

/** Refuses requests that a page of another origin sent. Admits requests that no page sent. @throws Problem 403 */
export const refuseOtherOrigins: RequestHandler = (request, _response, next) => {
  if (isSameOrigin(request) === false) throw createCrossOriginProblem(request);
  next();
};

function createCrossOriginProblem(request: Request): Error {
  const found = request.get('sec-fetch-site') ?? request.get('origin') ?? 'neither header';
  return problem(
    'cross_origin_request',
    `A session accepts requests from pages of ${request.host} only; expected Sec-Fetch-Site: same-origin or a matching Origin, found ${found.slice(0, 200)}. Use an API key in the header Authorization instead.`,
  );
}
