import { setImmediate as connectionFreed } from 'node:timers/promises';
import type { AddressRule } from './address-rules.js';
import { isFetchError, reachedFrom } from './fetch-error.js';
import { RedirectTrail } from './redirect-trail.js';
import { isRedirect, redirected, type OutgoingRequest, type Redirect } from './redirects.js';
import { sendRequest, type Reply, type SendOptions } from './send-request.js';
import { shownUrl } from './url-rules.js';

/**
 * Asked before each redirect is followed, when its target has passed the rules that need no look-up.
 * `false` hands the redirect itself out as the answer.
 */
export type FollowRedirect = (redirect: Redirect) => boolean | Promise<boolean>;

/** An answer, and the request that it answers. */
export interface Arrival {
  readonly request: OutgoingRequest;
  readonly reply: Reply;
}

export interface Journey extends SendOptions {
  readonly objectionTo: AddressRule;
  /** `false` goes nowhere: a redirect is an answer like any other. */
  readonly follow: FollowRedirect | false;
}

/** A redirect's own body is small; what is longer is not worth the time that keeping its connection saves. */
const REDIRECT_BODY_BYTES = 16 * 1024;

/**
 * Sends a request and goes where the answers point, each step checked like the first.
 *
 * @throws FetchRefused, FetchFailed, and what `follow` throws
 */
export async function followRedirects(
  first: OutgoingRequest,
  journey: Journey,
): Promise<Arrival & { readonly redirects: readonly Redirect[] }> {
  const trail = new RedirectTrail(first, journey.limits.redirects);
  let here: Arrival = { request: first, reply: await sendRequest(first, journey) };
  for (;;) {
    const there = await oneStep(here, trail, journey);
    if (there === undefined) return { ...here, redirects: trail.steps };
    here = there;
  }
}

async function oneStep(here: Arrival, trail: RedirectTrail, journey: Journey): Promise<Arrival | undefined> {
  const { request, reply } = here;
  const location = reply.headers.get('location');
  if (journey.follow === false || !isRedirect(reply.status) || location === undefined) return undefined;
  try {
    const next = redirected(request, reply.status, location, journey.objectionTo);
    const step = { status: reply.status, from: request.url.href, to: next.url.href };
    if (!(await journey.follow(step))) return undefined;
    trail.add(step, next);
    await reply.body.dump({ limit: REDIRECT_BODY_BYTES, signal: journey.signal });
    await connectionFreed();
    return { request: next, reply: await sendRequest(next, journey) };
  } catch (error) {
    reply.body.destroy();
    throw isFetchError(error) ? reachedFrom(error, shownUrl(request.url)) : error;
  }
}
