import { TextDecoder } from 'node:util';
import type { AddressRule } from './address-rules.js';
import { FetchRefused } from './fetch-error.js';
import { hasSecrets, withoutBodyHeaders, withoutSecrets, type OutgoingHeaders } from './outgoing-headers.js';
import { parseUrl, shownUrl } from './url-rules.js';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One request as it goes out, and as a redirect may change it. */
export interface OutgoingRequest {
  readonly url: URL;
  readonly method: Method;
  readonly headers: OutgoingHeaders;
  readonly body: string | Uint8Array | undefined;
}

/** One step of the way to the final address. */
export interface Redirect {
  readonly status: number;
  readonly from: string;
  readonly to: string;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export const isRedirect = (status: number): boolean => REDIRECTS.has(status);

/**
 * The request that an answer with a `Location` asks for; its URL is held to the same rules as the first one.
 * Secrets stay behind when the origin changes.
 *
 * @throws FetchRefused what `parseUrl` throws; `insecure_redirect` when secrets would go from https to http
 */
export function redirected(
  request: OutgoingRequest,
  status: number,
  location: string,
  objectionTo: AddressRule,
): OutgoingRequest {
  const url = parseUrl(asUtf8(location), objectionTo, request.url);
  if (request.url.protocol === 'https:' && url.protocol === 'http:' && hasSecrets(request.headers)) {
    throw new FetchRefused(
      'insecure_redirect',
      `expected a request with secret headers to stay on https, found a redirect to ${shownUrl(url)}`,
    );
  }
  const headers = url.origin === request.url.origin ? request.headers : withoutSecrets(request.headers);
  if (!becomesGet(request.method, status)) return { ...request, url, headers };
  return { url, method: 'GET', headers: withoutBodyHeaders(headers), body: undefined };
}

// What browsers do, and the Fetch standard wrote down (HTTP-redirect fetch, step 12).
function becomesGet(method: Method, status: number): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD';
  return method === 'POST' && (status === 301 || status === 302);
}

/** Header bytes arrive one per character; browsers read them as UTF-8 where that is what they are, and so sites write them. */
function asUtf8(location: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(location, 'latin1'));
  } catch {
    return location;
  }
}
