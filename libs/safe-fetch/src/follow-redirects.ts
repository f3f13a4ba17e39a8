import { setImmediate as connectionFreed } from 'node:timers/promises';
import type { AddressRule } from './address-rules.js';
import { isFetchError, addRedirectSource } from './fetch-error.js';
import {
  RedirectTrail,
  isRedirectStatus,
  buildRedirectedRequest,
  type OutgoingRequest,
  type Redirect,
} from './redirects.js';
import { sendRequest, type Reply, type SendOptions } from './send-request.js';
import { formatUrl } from './url-rules.js';

/**
 * Decides whether to follow a redirect, whose target has already passed the checks that need no DNS query. If the
 * result is false, the redirect itself is the response.
 */
export type FollowRedirect = (redirect: Redirect) => boolean | Promise<boolean>;

/** Describes a response and the request that it answers. */
export interface Arrival {
  readonly request: OutgoingRequest;
  readonly reply: Reply;
}

export interface FollowOptions extends SendOptions {
  readonly findObjection: AddressRule;
  /**
   * Decides for each redirect whether to follow it. `false`: follows no redirect, so the first redirect is the
   * response.
   */
  readonly follow: FollowRedirect | false;
}

/**
 * Maximum size, in bytes, of a redirect's body that is read to its end, so that the connection can be reused. Reading a
 * larger body takes longer than opening a new connection.
 */
const REDIRECT_BODY_BYTES = 16 * 1024;

/**
 * Sends a request and follows redirects. Each target is checked in the same way as the first URL.
 *
 * @throws FetchRefused, FetchFailed, and the errors of `follow`
 */
export async function followRedirects(
  first: OutgoingRequest,
  options: FollowOptions,
): Promise<Arrival & { readonly redirects: readonly Redirect[] }> {
  const trail = new RedirectTrail(first, options.limits.redirects);
  let here: Arrival = { request: first, reply: await sendRequest(first, options) };
  for (;;) {
    const there = await followNextRedirect(here, trail, options);
    if (there === undefined) return { ...here, redirects: trail.redirects };
    here = there;
  }
}

/** Follows the redirect in a response. Returns undefined if there is none, or if the redirect is not to be followed. */
async function followNextRedirect(
  here: Arrival,
  trail: RedirectTrail,
  options: FollowOptions,
): Promise<Arrival | undefined> {
  const { request, reply } = here;
  const location = reply.headers.get('location');
  if (options.follow === false || !isRedirectStatus(reply.status) || location === undefined) return undefined;
  try {
    const next = buildRedirectedRequest(request, reply.status, location, options.findObjection);
    const step = { status: reply.status, from: request.url.href, to: next.url.href };
    if (!(await options.follow(step))) return undefined;
    trail.addRedirect(step, next);
    await reply.body.dump({ limit: REDIRECT_BODY_BYTES, signal: options.signal });
    await connectionFreed();
    return { request: next, reply: await sendRequest(next, options) };
  } catch (error) {
    reply.body.destroy();
    throw isFetchError(error) ? addRedirectSource(error, formatUrl(request.url)) : error;
  }
}
