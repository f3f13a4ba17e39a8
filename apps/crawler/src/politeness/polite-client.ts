import { rejectOnAbort } from '@quarry/cancellation';
import { parseRetryAfter } from '@quarry/http-headers';
import { isFetchError, type FetchError, type SafeFetch, type SafeResponse } from '@quarry/safe-fetch';
import { pathOf } from '../addresses/path-pattern.js';
import type { Clock } from './clock.js';
import { HostGate } from './host-gate.js';
import type { HostPacing } from './host-pacing.js';
import { robotsSource, type RobotsAnswer } from './robots-source.js';

export interface Manners {
  /** The crawler's name as robots.txt files write it. */
  readonly productToken: string;
  /** Requests to one host at the same time. */
  readonly requestsPerHost: number;
  /** Between the starts of two requests to one host, over all crawlers. A longer `Crawl-delay` takes its place. */
  readonly delayMs: number;
  /** A longer `Crawl-delay` is cut to this: a crawl must end. */
  readonly maxCrawlDelayMs: number;
}

export interface Ask {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** An answer that has not been read, or why there is none. */
export type Reply<T> =
  | { readonly kind: 'answer'; readonly value: T; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'disallowed' }
  | { readonly kind: 'robots_unreachable'; readonly message: string; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'error'; readonly error: FetchError };

/** Fetches as a guest does: what robots.txt allows, at the host's pace, and not before `Retry-After`. */
export interface PoliteClient {
  /**
   * Asks for one address. A redirect is an answer like any other: its target is another address, with rules of its own.
   *
   * @param use reads the answer, within the host's turn
   * @throws the signal's reason; what `use` throws that is no FetchError
   */
  ask<T>(address: string, ask: Ask, use: (response: SafeResponse) => Promise<T>): Promise<Reply<T>>;

  /** @throws the signal's reason */
  robotsOf(address: string, signal: AbortSignal): Promise<RobotsAnswer>;

  /** Lets no request through to the address's host for this long, whichever crawler's it is. @throws the signal's reason */
  hold(address: string, ms: number, signal: AbortSignal): Promise<void>;
}

/** Statuses with which a server asks for less: their `Retry-After` holds for the whole host. */
const BUSY = new Set([429, 503]);
/** A longer `Retry-After` is told to the caller and does not stop the host's other visitors. */
const MAX_HOLD_MS = 5 * 60_000;

export interface PoliteParts {
  readonly safeFetch: SafeFetch;
  readonly manners: Manners;
  readonly pacing: HostPacing;
  readonly clock: Clock;
}

export function politeClient({ safeFetch, manners, pacing, clock }: PoliteParts): PoliteClient {
  const gate = new HostGate({ concurrency: manners.requestsPerHost, pacing, clock });
  const hold = (address: string, ms: number, signal: AbortSignal): Promise<void> =>
    pacing.hold(hostOf(address), Math.min(ms, MAX_HOLD_MS), signal);
  const robots = robotsSource({
    clock,
    productToken: manners.productToken,
    open: (address, signal, read) =>
      gate.run(hostOf(address), manners.delayMs, signal, async () => {
        const answer = await read(await safeFetch.fetch(address, { signal }));
        // The turn was taken before it was known what the host asks for.
        const restMs = answer.reachable ? paceOf(manners, answer.rules.crawlDelaySeconds) : (answer.retryAfterMs ?? 0);
        if (restMs > manners.delayMs) await hold(address, restMs, signal);
        return answer;
      }),
  });

  const robotsOf = (address: string, signal: AbortSignal): Promise<RobotsAnswer> =>
    rejectOnAbort(robots.of(new URL(address).origin), signal);

  return {
    robotsOf,
    hold,
    ask: async (address, { headers = {}, signal }, use) => {
      const answer = await robotsOf(address, signal);
      if (!answer.reachable) return withoutRobots(answer);
      if (!answer.rules.allows(pathOf(address))) return { kind: 'disallowed' };
      const delayMs = paceOf(manners, answer.rules.crawlDelaySeconds);
      try {
        return await gate.run(hostOf(address), delayMs, signal, async () => {
          const response = await safeFetch.fetch(address, { headers, signal, followRedirect: false });
          const retryAfter = parseRetryAfter(response.headers.get('retry-after'), clock.now());
          if (BUSY.has(response.status)) await hold(address, retryAfter ?? 0, signal);
          return { kind: 'answer', value: await use(response), retryAfterMs: retryAfter };
        });
      } catch (error) {
        if (!isFetchError(error)) throw error;
        signal.throwIfAborted();
        return { kind: 'error', error };
      }
    },
  };
}

/** An address that must not be fetched is the reason to tell, not that its robots.txt is missing. */
function withoutRobots(answer: RobotsAnswer & { readonly reachable: false }): Reply<never> {
  if (answer.error !== undefined) return { kind: 'error', error: answer.error };
  return { kind: 'robots_unreachable', message: answer.message, retryAfterMs: answer.retryAfterMs };
}

function paceOf(manners: Manners, crawlDelaySeconds = 0): number {
  return Math.max(manners.delayMs, Math.min(crawlDelaySeconds * 1_000, manners.maxCrawlDelayMs));
}

function hostOf(address: string): string {
  return new URL(address).host;
}
