import type { Readable } from 'node:stream';
import { addressRule, type AddressRule, type AddressRuleSettings } from './address-rules.js';
import { startDeadline, type Deadline } from './deadline.js';
import { dnsResolver, type Resolver } from './dns-resolver.js';
import { explainError } from './explain-error.js';
import { FetchFailed } from './fetch-error.js';
import { followRedirects, type Arrival, type FollowRedirect } from './follow-redirects.js';
import { keepAliveAgent } from './keep-alive-agent.js';
import { DEFAULT_LIMITS, withLimits, type Limits, type RequestLimits } from './limits.js';
import { outgoingHeaders, type HeaderFields } from './outgoing-headers.js';
import { pinnedConnector } from './pinned-connector.js';
import type { Method } from './redirects.js';
import { responseBody } from './response-body.js';
import { SafeResponse } from './safe-response.js';
import { tcpConnector, type Connector } from './tcp-connector.js';
import type { TlsSettings } from './tls-layer.js';
import { parseUrl } from './url-rules.js';

export interface SafeFetchSettings extends AddressRuleSettings, TlsSettings {
  /** Says truthfully who asks, with an address where its owner can be reached. */
  readonly userAgent: string;
  readonly limits?: Partial<Limits>;
  /** Tests hand in their own; otherwise the configured DNS servers are asked. */
  readonly resolver?: Resolver;
  /** Tests hand in their own; otherwise TCP. */
  readonly connector?: Connector;
}

export interface FetchOptions {
  readonly method?: Method;
  readonly headers?: HeaderFields;
  /** Headers for the origin of `url` alone: a redirect to another origin goes on without them. */
  readonly secretHeaders?: HeaderFields;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<RequestLimits>;
  /** Default: every redirect is followed. */
  readonly followRedirect?: FollowRedirect | false;
}

/** Fetches what outsiders name. It reaches public addresses only, in every spelling, after DNS and at every redirect. */
export interface SafeFetch {
  /**
   * Any status is an answer, an error is not.
   *
   * @throws FetchRefused, FetchFailed
   */
  fetch(url: string, options?: FetchOptions): Promise<SafeResponse>;
  /**
   * Judges a URL without a look-up, for saying no when somebody enters it.
   *
   * @throws FetchRefused what `fetch` would refuse it for
   */
  check(url: string): void;
  /** Closes all connections; requests under way fail with `aborted`. */
  close(): Promise<void>;
}

/** @throws RangeError, TypeError when the settings make no sense */
export function createSafeFetch(settings: SafeFetchSettings): SafeFetch {
  if (settings.userAgent.trim() === '') throw new TypeError('userAgent: expected the name of this client, found none');
  const limits = withLimits(DEFAULT_LIMITS, settings.limits);
  const objectionTo = addressRule(settings);
  const closing = new AbortController();
  const connect = pinnedConnector({
    resolve: settings.resolver ?? dnsResolver(),
    connect: settings.connector ?? tcpConnector,
    objectionTo,
    tls: settings,
    connectMs: limits.connectMs,
    closing: closing.signal,
  });
  const agent = keepAliveAgent(connect, limits);
  const client = { agent, userAgent: settings.userAgent, limits, objectionTo, closing: closing.signal };
  return {
    fetch: (url, options = {}) => fetchWith(client, url, options),
    check: (url) => {
      parseUrl(url, objectionTo);
    },
    close: async () => {
      const closed = new FetchFailed('aborted', 'the client was closed');
      closing.abort(closed);
      await agent.destroy(closed);
    },
  };
}

interface Client {
  readonly agent: ReturnType<typeof keepAliveAgent>;
  readonly userAgent: string;
  readonly limits: Limits;
  readonly objectionTo: AddressRule;
  readonly closing: AbortSignal;
}

async function fetchWith(client: Client, url: string, options: FetchOptions): Promise<SafeResponse> {
  const limits = withLimits(client.limits, options.limits);
  const request = {
    url: parseUrl(url, client.objectionTo),
    method: options.method ?? 'GET',
    headers: outgoingHeaders(options.headers, options.secretHeaders),
    body: options.body,
  };
  const deadline = requestDeadline(limits, client.closing, options.signal);
  const follow = options.followRedirect ?? ((): boolean => true);
  try {
    const arrival = await followRedirects(request, { ...client, limits, follow, signal: deadline.signal });
    return new SafeResponse({
      status: arrival.reply.status,
      headers: arrival.reply.headers,
      url: arrival.request.url.href,
      redirects: arrival.redirects,
      remoteAddress: arrival.reply.remoteAddress,
      body: openBody(arrival, limits, deadline),
    });
  } catch (error) {
    deadline.end();
    throw error;
  }
}

function requestDeadline(limits: Limits, closing: AbortSignal, caller: AbortSignal | undefined): Deadline {
  return startDeadline({
    ms: limits.totalMs,
    late: () =>
      new FetchFailed('timeout', `expected the whole answer within ${limits.totalMs} ms, found it unfinished`),
    others: [
      [caller, (cause) => new FetchFailed('aborted', 'the caller ended the request', { cause })],
      [closing, () => new FetchFailed('aborted', 'the client was closed')],
    ],
  });
}

function openBody({ request, reply }: Arrival, limits: Limits, deadline: Deadline): Readable {
  const isExpected = request.method !== 'HEAD' && reply.status !== 204 && reply.status !== 304;
  const raw = {
    stream: reply.body,
    contentEncoding: reply.headers.get('content-encoding'),
    contentLength: reply.headers.get('content-length'),
    isExpected,
  };
  try {
    const body = responseBody(raw, limits, (error) => explainError(error, limits));
    deadline.signal.addEventListener('abort', () => body.destroy(explainError(deadline.signal.reason, limits)));
    body.once('close', deadline.end);
    return body;
  } catch (error) {
    reply.body.destroy();
    throw error;
  }
}
