import { rejectOnAbort } from '@quarry/cancellation';
import { parseRetryAfter } from '@quarry/http-responses';
import {
  type FetchError,
  type FetchOptions,
  isFetchError,
  type SafeFetch,
  type SafeResponse,
} from '@quarry/safe-fetch';
import { getNormalizedPath } from '../urls/path-pattern.js';
import type { Clock } from './clock.js';
import { type HostBusy, type HostPacing, HostRateLimiter } from './host-rate-limiter.js';
import { createRobotsCache, type RobotsResult } from './robots-txt.js';

export interface PolitenessSettings {
  /** The name of the crawler in robots.txt files. */
  readonly productToken: string;
  /** Maximum number of concurrent requests per host. */
  readonly requestsPerHost: number;
  /**
   * Minimum time between the starts of two requests to a host, by any crawler, in milliseconds. A longer `Crawl-delay`
   * replaces this time.
   */
  readonly delayMs: number;
  /** Maximum `Crawl-delay` that is obeyed, in milliseconds. A longer delay is shortened, so that every crawl ends. */
  readonly maxCrawlDelayMs: number;
}

export interface PoliteRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Maximum time to wait for the rate limit of the host, in milliseconds. Absent: no limit. */
  readonly maxWaitMs?: number | undefined;
  /** Limits of the request that differ from those of the client. */
  readonly limits?: NonNullable<FetchOptions['limits']>;
}

/**
 * Maximum time that a job waits in memory for the rate limit of a host, in milliseconds. If the wait is longer, the job
 * returns to its queue, so that other jobs can run. The usual gap between two requests is shorter than this time.
 */
export const MAX_WAIT_IN_PLACE_MS = 2_000;

/** Holds the value that `read` returned for a response, or the reason why there is no response. */
export type PoliteResult<T> =
  | { readonly kind: 'response'; readonly value: T; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'disallowed' }
  | { readonly kind: 'robots_unreachable'; readonly message: string; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'error'; readonly error: FetchError };

/** Fetches URLs politely: it obeys robots.txt, limits the request rate per host, and respects `Retry-After`. */
export interface PoliteClient {
  /**
   * Fetches one URL. Returns a redirect as a response, because robots.txt may have other rules for the target.
   *
   * @param read reads the response. The request counts as active until `read` has ended
   * @throws HostBusy; the signal's reason; what `read` throws, except for FetchErrors
   */
  fetch<T>(url: string, request: PoliteRequest, read: (response: SafeResponse) => Promise<T>): Promise<PoliteResult<T>>;

  /** Returns the robots.txt of the URL's origin. @throws HostBusy; the signal's reason */
  getRobots(url: string, request: Pick<PoliteRequest, 'signal' | 'maxWaitMs'>): Promise<RobotsResult>;

  /** Pauses the requests of all crawlers to the URL's host. @throws the signal's reason */
  pauseHost(url: string, ms: number, signal: AbortSignal): Promise<void>;

  /** Schedules the next start of a job that found its host busy. @returns the delay until the start, in milliseconds */
  scheduleReturn(busy: HostBusy): number;
}

/** Lists the statuses of an overloaded server. The `Retry-After` of such a response pauses all requests to the host. */
const OVERLOAD_STATUSES = new Set([429, 503]);
/** Maximum pause of a host, in milliseconds. The caller receives the whole `Retry-After`, even if it is longer. */
const MAX_PAUSE_MS = 5 * 60_000;

export interface PoliteClientParts {
  readonly safeFetch: SafeFetch;
  readonly politeness: PolitenessSettings;
  readonly pacing: HostPacing;
  readonly clock: Clock;
}

export function createPoliteClient({ safeFetch, politeness, pacing, clock }: PoliteClientParts): PoliteClient {
  const limiter = new HostRateLimiter({ concurrency: politeness.requestsPerHost, pacing, clock });
  const pauseHost = (url: string, ms: number, signal: AbortSignal): Promise<void> =>
    pacing.pauseHost(getHostOfUrl(url), Math.min(ms, MAX_PAUSE_MS), signal);
  const robotsCache = createRobotsCache({
    clock,
    productToken: politeness.productToken,
    fetch: (url, { signal, maxWaitMs }, read) =>
      limiter.runRequest(getHostOfUrl(url), { delayMs: politeness.delayMs, maxWaitMs }, signal, async () => {
        const robots = await read(await safeFetch.fetch(url, { signal }));
        // This request started with the default delay, because the host's own delay was unknown. The pause enforces a
        // longer delay before the next request.
        const delayMs = robots.reachable
          ? computeRequestDelayMs(politeness, robots.rules.crawlDelaySeconds)
          : (robots.retryAfterMs ?? 0);
        if (delayMs > politeness.delayMs) await pauseHost(url, delayMs, signal);
        return robots;
      }),
  });

  const getRobots: PoliteClient['getRobots'] = (url, { signal, maxWaitMs }) =>
    rejectOnAbort(robotsCache.get(new URL(url).origin, maxWaitMs), signal);

  return {
    getRobots,
    pauseHost,
    scheduleReturn: (busy) => limiter.scheduleReturn(busy),
    fetch: async (url, { headers = {}, signal, maxWaitMs, limits = {} }, read) => {
      const robots = await getRobots(url, { signal, maxWaitMs });
      if (!robots.reachable) return createUnreachableResult(robots);
      if (!robots.rules.allows(getNormalizedPath(url))) return { kind: 'disallowed' };
      const delayMs = computeRequestDelayMs(politeness, robots.rules.crawlDelaySeconds);
      try {
        return await limiter.runRequest(getHostOfUrl(url), { delayMs, maxWaitMs }, signal, async () => {
          const response = await safeFetch.fetch(url, { headers, signal, limits, followRedirect: false });
          const retryAfter = parseRetryAfter(response.headers.get('retry-after'), clock.now());
          if (OVERLOAD_STATUSES.has(response.status)) await pauseHost(url, retryAfter ?? 0, signal);
          return { kind: 'response', value: await read(response), retryAfterMs: retryAfter };
        });
      } catch (error) {
        if (!isFetchError(error)) throw error;
        signal.throwIfAborted();
        return { kind: 'error', error };
      }
    },
  };
}

/**
 * Returns the result for an unreachable robots.txt. Contains the error of the request if there is one, because this
 * error is more specific than `robots_unreachable`.
 */
function createUnreachableResult({
  error,
  message,
  retryAfterMs,
}: RobotsResult & { readonly reachable: false }): PoliteResult<never> {
  if (error !== undefined) return { kind: 'error', error };
  return { kind: 'robots_unreachable', message, retryAfterMs };
}

function computeRequestDelayMs(politeness: PolitenessSettings, crawlDelaySeconds = 0): number {
  return Math.max(politeness.delayMs, Math.min(crawlDelaySeconds * 1_000, politeness.maxCrawlDelayMs));
}

function getHostOfUrl(url: string): string {
  return new URL(url).host;
}

/** Reports a response body that is larger than the limit. */
export class BodyTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`expected at most ${maxBytes} bytes, found more`);
    this.name = 'BodyTooLarge';
  }
}

/**
 * Reads a whole body. Closes the connection of a body that is too large.
 *
 * @throws BodyTooLarge; the error of the body
 */
export async function readBodyUpToLimit(response: SafeResponse, maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new BodyTooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
