import { TextDecoder } from 'node:util';
import type { AddressRule } from './address-rules.js';
import { FetchRefused } from './fetch-error.js';
import { hasSecretHeaders, removeBodyHeaders, removeSecretHeaders, type OutgoingHeaders } from './outgoing-headers.js';
import { parseUrl, formatUrl } from './url-rules.js';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Describes a request as it is sent. `buildRedirectedRequest` derives the next request from it. */
export interface OutgoingRequest {
  readonly url: URL;
  readonly method: Method;
  readonly headers: OutgoingHeaders;
  readonly body: string | Uint8Array | undefined;
}

/** Describes one redirect: its status, the redirecting URL and the target. */
export interface Redirect {
  readonly status: number;
  readonly from: string;
  readonly to: string;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export const isRedirectStatus = (status: number): boolean => REDIRECTS.has(status);

/**
 * Builds the request that follows a redirect. Checks the target of the redirect in the same way as the first URL, and
 * removes secret headers if the origin changes.
 *
 * @throws FetchRefused as `parseUrl`; `insecure_redirect` if a request with secret headers is redirected from https to
 * http
 */
export function buildRedirectedRequest(
  request: OutgoingRequest,
  status: number,
  location: string,
  findObjection: AddressRule,
): OutgoingRequest {
  const url = parseUrl(decodeLocationAsUtf8(location), findObjection, request.url);
  if (request.url.protocol === 'https:' && url.protocol === 'http:' && hasSecretHeaders(request.headers)) {
    throw new FetchRefused(
      'insecure_redirect',
      `expected a request with secret headers to stay on https, found a redirect to ${formatUrl(url)}`,
    );
  }
  const headers = url.origin === request.url.origin ? request.headers : removeSecretHeaders(request.headers);
  if (!isChangedToGet(request.method, status)) return { ...request, url, headers };
  return { url, method: 'GET', headers: removeBodyHeaders(headers), body: undefined };
}

// Source: Fetch standard, HTTP-redirect fetch, step 12.
function isChangedToGet(method: Method, status: number): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD';
  return method === 'POST' && (status === 301 || status === 302);
}

/**
 * Decodes the value of a `Location` header as UTF-8 if the bytes are valid UTF-8, as browsers do. The HTTP driver
 * returns each byte of a header as one character.
 */
export function decodeLocationAsUtf8(location: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(location, 'latin1'));
  } catch {
    return location;
  }
}

/** Records the redirects that a request has followed. Rejects loops, and more redirects than the maximum. */
export class RedirectTrail {
  readonly #maxRedirects: number;
  readonly #seen: Set<string>;
  readonly #steps: Redirect[] = [];

  constructor(first: OutgoingRequest, maxRedirects: number) {
    this.#maxRedirects = maxRedirects;
    this.#seen = new Set([getRequestKey(first)]);
  }

  get redirects(): readonly Redirect[] {
    return [...this.#steps];
  }

  /**
   * Adds a redirect.
   *
   * @throws FetchRefused `redirect_loop` if the target was already visited; `too_many_redirects` above the maximum
   */
  addRedirect(step: Redirect, next: OutgoingRequest): void {
    if (this.#seen.has(getRequestKey(next))) {
      throw new FetchRefused(
        'redirect_loop',
        'expected redirects without a loop, found a redirect to a URL that was already visited',
      );
    }
    if (this.#steps.length === this.#maxRedirects) {
      throw new FetchRefused('too_many_redirects', `expected at most ${this.#maxRedirects} redirects, found one more`);
    }
    this.#seen.add(getRequestKey(next));
    this.#steps.push(step);
  }
}

const getRequestKey = ({ method, url }: OutgoingRequest): string => `${method} ${url.href}`;
