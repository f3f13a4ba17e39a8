import type { Readable } from 'node:stream';
import { createAddressRule, type AddressRule, type AddressRuleSettings } from './address-rules.js';
import { startDeadline, type Deadline } from './deadline.js';
import { createDnsResolver, type Resolver } from './public-addresses.js';
import { toFetchError } from './to-fetch-error.js';
import { FetchFailed } from './fetch-error.js';
import { followRedirects, type Arrival, type FollowRedirect } from './follow-redirects.js';
import { createKeepAliveAgent } from './send-request.js';
import { DEFAULT_LIMITS, mergeAndValidateLimits, type Limits, type RequestLimits } from './fetch-limits.js';
import { buildOutgoingHeaders, type HeaderFields } from './outgoing-headers.js';
import { createPinnedConnector, type TlsSettings } from './pinned-connector.js';
import type { Method } from './redirects.js';
import { createResponseBody } from './response-body.js';
import { SafeResponse } from './safe-response.js';
import { openTcpConnection, type Connector } from './first-connection.js';
import { parseUrl } from './url-rules.js';

export interface SafeFetchSettings extends AddressRuleSettings, TlsSettings {
  /** Value of the request header `User-Agent`. Include a URL or an address at which the operator can be contacted. */
  readonly userAgent: string;
  readonly limits?: Partial<Limits>;
  /** Resolves host names. Default: queries the DNS servers of the system. */
  readonly resolver?: Resolver;
  /** Opens connections. Default: opens TCP connections. */
  readonly connector?: Connector;
}

export interface FetchOptions {
  readonly method?: Method;
  readonly headers?: HeaderFields;
  /** Headers that are sent only to the origin of the requested URL, and not to another origin after a redirect. */
  readonly secretHeaders?: HeaderFields;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<RequestLimits>;
  /** Decides for each redirect whether to follow it. `false`: follows no redirect. Default: follows all redirects. */
  readonly followRedirect?: FollowRedirect | false;
}

/**
 * Fetches URLs from untrusted sources. Connects only to public addresses. This holds for every spelling of a URL, every
 * DNS result and every redirect.
 */
export interface SafeFetch {
  /**
   * Fetches a URL. Returns a response with any status.
   *
   * @throws FetchRefused, FetchFailed
   */
  fetch(url: string, options?: FetchOptions): Promise<SafeResponse>;
  /**
   * Checks a URL without a DNS query, so that users receive immediate feedback.
   *
   * @throws FetchRefused if `fetch` would reject the URL without a DNS query
   */
  requireAllowedUrl(url: string): void;
  /** Closes all connections. Requests in progress fail with `aborted`. */
  close(): Promise<void>;
}

/** Creates a client. @throws RangeError or TypeError if the settings are invalid */
export function createSafeFetch(settings: SafeFetchSettings): SafeFetch {
  if (settings.userAgent.trim() === '') throw new TypeError('userAgent: expected the name of this client, found none');
  const limits = mergeAndValidateLimits(DEFAULT_LIMITS, settings.limits);
  const findObjection = createAddressRule(settings);
  const closing = new AbortController();
  const connect = createPinnedConnector({
    resolve: settings.resolver ?? createDnsResolver(),
    connect: settings.connector ?? openTcpConnection,
    findObjection,
    tls: settings,
    connectMs: limits.connectMs,
    closing: closing.signal,
  });
  const agent = createKeepAliveAgent(connect, limits);
  const client = { agent, userAgent: settings.userAgent, limits, findObjection, closing: closing.signal };
  return {
    fetch: (url, options = {}) => fetchWithClient(client, url, options),
    requireAllowedUrl: (url) => {
      parseUrl(url, findObjection);
    },
    close: async () => {
      const closed = new FetchFailed('aborted', 'the client was closed');
      closing.abort(closed);
      await agent.destroy(closed);
    },
  };
}

interface Client {
  readonly agent: ReturnType<typeof createKeepAliveAgent>;
  readonly userAgent: string;
  readonly limits: Limits;
  readonly findObjection: AddressRule;
  readonly closing: AbortSignal;
}

async function fetchWithClient(client: Client, url: string, options: FetchOptions): Promise<SafeResponse> {
  const limits = mergeAndValidateLimits(client.limits, options.limits);
  const request = {
    url: parseUrl(url, client.findObjection),
    method: options.method ?? 'GET',
    headers: buildOutgoingHeaders(options.headers, options.secretHeaders),
    body: options.body,
  };
  const deadline = startRequestDeadline(limits, client.closing, options.signal);
  const follow = options.followRedirect ?? ((): boolean => true);
  try {
    const arrival = await followRedirects(request, { ...client, limits, follow, signal: deadline.signal });
    return new SafeResponse({
      status: arrival.reply.status,
      headers: arrival.reply.headers,
      url: arrival.request.url.href,
      redirects: arrival.redirects,
      remoteAddress: arrival.reply.remoteAddress,
      body: openResponseBody(arrival, limits, deadline),
    });
  } catch (error) {
    deadline.end();
    throw error;
  }
}

function startRequestDeadline(limits: Limits, clientSignal: AbortSignal, callerSignal?: AbortSignal): Deadline {
  return startDeadline({
    timeoutMs: limits.totalMs,
    createTimeoutError: () =>
      new FetchFailed('timeout', `expected the complete response within ${limits.totalMs} ms, found it incomplete`),
    otherSignals: [
      [callerSignal, (cause) => new FetchFailed('aborted', 'the caller ended the request', { cause })],
      [clientSignal, () => new FetchFailed('aborted', 'the client was closed')],
    ],
  });
}

function openResponseBody({ request, reply }: Arrival, limits: Limits, deadline: Deadline): Readable {
  const isExpected = request.method !== 'HEAD' && reply.status !== 204 && reply.status !== 304;
  const raw = {
    stream: reply.body,
    contentEncoding: reply.headers.get('content-encoding'),
    contentLength: reply.headers.get('content-length'),
    isExpected,
  };
  try {
    const body = createResponseBody(raw, limits, (error) => toFetchError(error, limits));
    deadline.signal.addEventListener('abort', () => body.destroy(toFetchError(deadline.signal.reason, limits)));
    body.once('close', deadline.end);
    return body;
  } catch (error) {
    reply.body.destroy();
    throw error;
  }
}

/**
 * Parses a URL and checks it without a DNS query, so that users receive immediate feedback.
 *
 * @throws FetchRefused if the URL is not allowed
 */
export function parseAllowedUrl(text: string, settings: AddressRuleSettings): URL {
  return parseUrl(text, createAddressRule(settings));
}

/**
 * Checks headers before they are sent.
 *
 * @throws FetchRefused if a header is not allowed; the message contains no value
 */
export function requireAllowedHeaders(headers: HeaderFields): void {
  buildOutgoingHeaders({}, headers);
}
