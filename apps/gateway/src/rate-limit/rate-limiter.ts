import type { Log } from '@quarry/service-kit';
import { WINDOW_SECONDS, type RequestCounts } from './request-counts.js';

/** Holds the decision whether a request is admitted, and the state of the rate limit of its API key. */
export interface Admission {
  readonly admitted: boolean;
  /** Maximum number of requests of the key per minute. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the current minute of the key ends. */
  readonly resetSeconds: number;
}

export interface RateLimiter {
  /** Counts a request of an API key, and decides whether it is admitted. */
  admit(keyId: string): Admission;
  /** Stops the limiter. Resolves when the store contains all counted requests. */
  close(): Promise<void>;
}

export interface RateLimiterOptions {
  /** Maximum number of requests per minute and key. */
  readonly limit: number;
  readonly counts: RequestCounts;
  readonly clock: () => Date;
  readonly log: Pick<Log, 'warn' | 'info'>;
}

const WINDOW_MS = WINDOW_SECONDS * 1_000;
/**
 * Minimum time between two calls to the store for the same key, in milliseconds. One call counts all requests of the
 * key since the previous call.
 */
const BATCH_MS = 100;

/** Holds the request counts of a key in its current minute, according to this gateway. */
interface Window {
  endsAt: number;
  /** Number of requests of the key to all gateways, according to the last response of the store. */
  counted: number;
  /** Number of requests of the key to this gateway that the count in the store does not include yet. */
  uncounted: number;
  isCounting: boolean;
}

/**
 * Creates a rate limiter. No request waits for the store: a gateway uses the count in the last response, and adds its
 * own requests to the store every tenth of a second. With one gateway, the limit is exact. Several gateways together
 * can exceed the limit by the requests of the last tenth of a second. While the store is unavailable, each gateway
 * limits its own requests.
 */
export function createRateLimiter({ limit, counts, clock, log }: RateLimiterOptions): RateLimiter {
  const windows = new Windows();
  const pending = new Set<Promise<void>>();
  let isUnavailable = false;
  let isClosed = false;

  const sendCount = async (keyId: string, window: Window): Promise<void> => {
    const sent = window.uncounted;
    try {
      const { requests, msLeft } = await counts.add(keyId, sent);
      window.counted = requests;
      window.endsAt = clock().getTime() + msLeft;
      if (isUnavailable) log.info('the shared request counts of the rate limit are available again');
      isUnavailable = false;
    } catch (error) {
      window.counted += sent;
      if (!isUnavailable)
        log.warn(
          { err: error },
          'the shared request counts of the rate limit are unavailable; this gateway limits only its own requests',
        );
      isUnavailable = true;
    }
    window.uncounted -= sent;
  };

  const startCounting = (keyId: string, window: Window): void => {
    if (window.isCounting || isClosed) return;
    window.isCounting = true;
    const counted = sendCount(keyId, window).finally(() => pending.delete(counted));
    pending.add(counted);
    setTimeout(() => {
      void counted.then(() => {
        window.isCounting = false;
        if (window.uncounted > 0) startCounting(keyId, window);
      });
    }, BATCH_MS).unref();
  };

  return {
    admit: (keyId) => {
      const now = clock().getTime();
      const window = windows.getWindow(keyId, now);
      const resetSeconds = Math.max(1, Math.ceil((window.endsAt - now) / 1_000));
      const used = window.counted + window.uncounted;
      if (used >= limit) return { admitted: false, limit, remaining: 0, resetSeconds };
      window.uncounted += 1;
      startCounting(keyId, window);
      return { admitted: true, limit, remaining: limit - used - 1, resetSeconds };
    },
    close: async () => {
      isClosed = true;
      await Promise.allSettled(pending);
    },
  };
}

/** Holds the request counts of each key in its current minute. Deletes the counts of ended minutes once per minute. */
class Windows {
  readonly #windows = new Map<string, Window>();
  #sweepAt = 0;

  /**
   * Returns the request counts of a key in its current minute. Starts a new minute if the previous minute has ended.
   */
  getWindow(keyId: string, now: number): Window {
    const known = this.#windows.get(keyId);
    if (known !== undefined && now < known.endsAt) return known;
    this.#removeEndedWindows(now);
    const window = { endsAt: now + WINDOW_MS, counted: 0, uncounted: 0, isCounting: false };
    this.#windows.set(keyId, window);
    return window;
  }

  #removeEndedWindows(now: number): void {
    if (now < this.#sweepAt) return;
    this.#sweepAt = now + WINDOW_MS;
    for (const [keyId, { endsAt, isCounting }] of this.#windows) {
      if (endsAt <= now && !isCounting) this.#windows.delete(keyId);
    }
  }
}
