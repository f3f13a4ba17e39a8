import type { Log } from '@quarry/service-kit';
import { WINDOW_SECONDS, type RequestCounts } from './request-counts.js';

/** Whether a request is let in, and how its key stands. */
export interface Admission {
  readonly admitted: boolean;
  /** Requests a minute. */
  readonly limit: number;
  readonly remaining: number;
  /** Until the key's minute is over. */
  readonly resetSeconds: number;
}

export interface RateLimiter {
  admit(keyId: string): Admission;
  /** Resolves when nothing is being counted any more. */
  close(): Promise<void>;
}

export interface Limiting {
  /** Requests per minute and key. */
  readonly limit: number;
  readonly counts: RequestCounts;
  readonly clock: () => Date;
  readonly log: Pick<Log, 'warn' | 'info'>;
}

const WINDOW_MS = WINDOW_SECONDS * 1_000;
/** A key's requests are counted together that come within this time. */
const TOGETHER_MS = 100;

/** A key's minute, as this gateway knows it. */
interface Window {
  endsAt: number;
  /** Of all gateways, when it was last heard. */
  counted: number;
  /** Of this gateway, not counted yet. */
  waiting: number;
  counting: boolean;
}

/**
 * Limits the requests of each key. No request waits for the store: a gateway decides by what it knows, and tells the store of
 * its requests at once, or with those of the next tenth of a second. So one gateway keeps the limit exactly, and several together
 * let in what comes to the others while one has not heard of it. While the store is away each gateway limits by itself.
 */
export function createRateLimiter({ limit, counts, clock, log }: Limiting): RateLimiter {
  const windows = new Windows();
  const underWay = new Set<Promise<void>>();
  let isAway = false;
  let isClosed = false;

  const count = async (keyId: string, window: Window): Promise<void> => {
    const sent = window.waiting;
    try {
      const { requests, msLeft } = await counts.add(keyId, sent);
      window.counted = requests;
      window.endsAt = clock().getTime() + msLeft;
      if (isAway) log.info('requests are counted again');
      isAway = false;
    } catch (error) {
      window.counted += sent;
      if (!isAway) log.warn({ err: error }, 'requests cannot be counted: each gateway limits them by itself');
      isAway = true;
    }
    window.waiting -= sent;
  };

  const countSoon = (keyId: string, window: Window): void => {
    if (window.counting || isClosed) return;
    window.counting = true;
    const counted = count(keyId, window).finally(() => underWay.delete(counted));
    underWay.add(counted);
    setTimeout(() => {
      void counted.then(() => {
        window.counting = false;
        if (window.waiting > 0) countSoon(keyId, window);
      });
    }, TOGETHER_MS).unref();
  };

  return {
    admit: (keyId) => {
      const now = clock().getTime();
      const window = windows.current(keyId, now);
      const resetSeconds = Math.max(1, Math.ceil((window.endsAt - now) / 1_000));
      const used = window.counted + window.waiting;
      if (used >= limit) return { admitted: false, limit, remaining: 0, resetSeconds };
      window.waiting += 1;
      countSoon(keyId, window);
      return { admitted: true, limit, remaining: limit - used - 1, resetSeconds };
    },
    close: async () => {
      isClosed = true;
      await Promise.allSettled(underWay);
    },
  };
}

/** Holds the current minute of each key. Deletes expired minutes once per minute. */
class Windows {
  readonly #windows = new Map<string, Window>();
  #sweepAt = 0;

  /** Returns the current minute of a key. Starts one if there is none. */
  current(keyId: string, now: number): Window {
    const known = this.#windows.get(keyId);
    if (known !== undefined && now < known.endsAt) return known;
    this.#sweep(now);
    const window = { endsAt: now + WINDOW_MS, counted: 0, waiting: 0, counting: false };
    this.#windows.set(keyId, window);
    return window;
  }

  #sweep(now: number): void {
    if (now < this.#sweepAt) return;
    this.#sweepAt = now + WINDOW_MS;
    for (const [keyId, { endsAt, counting }] of this.#windows) {
      if (endsAt <= now && !counting) this.#windows.delete(keyId);
    }
  }
}
