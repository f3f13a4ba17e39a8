import type { Pacing } from '@quarry/queue';
import type { Log } from '@quarry/service-kit';
import type { Clock } from './clock.js';

/**
 * Number of hosts in memory at which the states of idle hosts are removed. Idle hosts have no waiting or active
 * requests.
 */
const MAX_HOSTS = 2_000;

export interface HostRateLimiterParts {
  /** Maximum number of concurrent requests per host. */
  readonly concurrency: number;
  readonly pacing: HostPacing;
  readonly clock: Pick<Clock, 'now'>;
}

/** Holds the limits for the start of a request. */
export interface RequestStart {
  /**
   * Minimum time from the start of this request to the start of the next request to the host, by any crawler, in
   * milliseconds. For a slow host, the rate limiter uses a longer time, see `HostQueue`. 0 disables the delay, also for
   * slow hosts.
   */
  readonly delayMs: number;
  /**
   * Maximum time that the request waits for its start once it is the first in the queue of its host, in milliseconds.
   * Absent: no limit.
   */
  readonly maxWaitMs?: number | undefined;
}

/** Reports that a request was not sent, because its host accepts no request within the `maxWaitMs` of the caller. */
export class HostBusy extends Error {
  readonly host: string;
  /** Time until the host may accept a request, in milliseconds. */
  readonly waitMs: number;
  /** Minimum time between two requests to the host, in milliseconds. */
  readonly gapMs: number;

  constructor(host: string, waitMs: number, gapMs: number) {
    super(`${host} accepts no request for ${waitMs} ms`);
    this.name = 'HostBusy';
    this.host = host;
    this.waitMs = waitMs;
    this.gapMs = gapMs;
  }
}

/** Limits the concurrency and the rate of requests per host. Requests to one host start in the order of the calls. */
export class HostRateLimiter {
  readonly #hosts = new Map<string, HostQueue>();
  readonly #parts: HostRateLimiterParts;

  constructor(parts: HostRateLimiterParts) {
    this.#parts = parts;
  }

  /**
   * Runs a request as soon as the limits of its host allow it.
   *
   * @throws HostBusy; the signal's reason; what `request` throws
   */
  async runRequest<T>(host: string, start: RequestStart, signal: AbortSignal, request: () => Promise<T>): Promise<T> {
    const { now } = this.#parts.clock;
    const queue = this.#getQueue(host);
    await queue.acquireSlot(start, signal);
    const startedAt = now();
    try {
      return await request();
    } finally {
      queue.releaseSlot(now() - startedAt);
    }
  }

  /**
   * Schedules the next start of a job whose request was not sent. Jobs that wait for the same host get different times,
   * so that they do not find the host busy again.
   *
   * @returns the delay until the start, in milliseconds
   */
  scheduleReturn({ host, waitMs, gapMs }: HostBusy): number {
    return this.#getQueue(host).scheduleReturn(waitMs, gapMs);
  }

  #getQueue(host: string): HostQueue {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    if (this.#hosts.size >= MAX_HOSTS) this.#removeIdleHosts();
    const queue = new HostQueue(host, this.#parts);
    this.#hosts.set(host, queue);
    return queue;
  }

  #removeIdleHosts(): void {
    for (const [host, queue] of this.#hosts) if (queue.isIdle()) this.#hosts.delete(host);
  }
}

/**
 * Queues the requests of this crawler to one host, and counts only these requests. To limit the concurrent requests of
 * all crawlers, requests that take d ms start at least d / concurrency ms apart. By Little's law, the average number of
 * active requests is the rate of requests times their duration.
 */
class HostQueue {
  readonly #host: string;
  readonly #parts: HostRateLimiterParts;
  #lastStart: Promise<void> = Promise.resolve();
  #waiting = 0;
  #active = 0;
  /** Moving average of the duration of requests, in milliseconds. */
  #averageMs: number | undefined;
  #onRelease: (() => void) | undefined;
  /** Earliest time at which the next job that `scheduleReturn` schedules may start, in milliseconds since 1970. */
  #nextReturnAt = 0;

  constructor(host: string, parts: HostRateLimiterParts) {
    this.#host = host;
    this.#parts = parts;
  }

  isIdle(): boolean {
    return this.#waiting === 0 && this.#active === 0 && this.#nextReturnAt <= this.#parts.clock.now();
  }

  scheduleReturn(waitMs: number, gapMs: number): number {
    const now = this.#parts.clock.now();
    const returnAt = Math.max(now + waitMs, this.#nextReturnAt);
    this.#nextReturnAt = returnAt + gapMs;
    return returnAt - now;
  }

  async acquireSlot(start: RequestStart, signal: AbortSignal): Promise<void> {
    this.#waiting += 1;
    const started = this.#lastStart.then(() => this.#startNext(start, signal));
    this.#lastStart = started.catch(() => undefined);
    try {
      await started;
    } finally {
      this.#waiting -= 1;
    }
  }

  releaseSlot(durationMs: number): void {
    this.#active -= 1;
    this.#averageMs = this.#averageMs === undefined ? durationMs : (this.#averageMs + durationMs) / 2;
    this.#onRelease?.();
  }

  // Calls never run concurrently, because `acquireSlot` chains them.
  async #startNext({ delayMs, maxWaitMs }: RequestStart, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while (this.#active >= this.#parts.concurrency) await this.#waitForRelease();
    await this.#parts.pacing.waitForStart(this.#host, this.#computeGapMs(delayMs), signal, maxWaitMs);
    signal.throwIfAborted();
    this.#active += 1;
  }

  #computeGapMs(delayMs: number): number {
    if (delayMs === 0) return 0;
    return Math.max(delayMs, (this.#averageMs ?? 0) / this.#parts.concurrency);
  }

  #waitForRelease(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRelease = resolve;
    });
  }
}

/** Keeps a minimum time between the starts of the requests of all crawlers to a host. */
export interface HostPacing {
  /**
   * Waits until a request to the host may start.
   *
   * @param gapMs minimum time until the start of the next request to the host, by any crawler, in milliseconds
   * @param maxWaitMs maximum time to wait, in milliseconds; default: no limit
   * @throws HostBusy when the request may not start within `maxWaitMs`; the signal's reason
   */
  waitForStart(host: string, gapMs: number, signal: AbortSignal, maxWaitMs?: number): Promise<void>;

  /** Pauses the requests of all crawlers to the host. @throws the signal's reason */
  pauseHost(host: string, ms: number, signal: AbortSignal): Promise<void>;
}

interface HostPacingParts {
  readonly pacing: Pacing;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

/** Delay between two attempts to reach the store that holds the pacing of all crawlers, in milliseconds. */
const STORE_RETRY_MS = 1_000;

/**
 * Creates the pacing that all crawlers share through one store. While the store is unavailable, no request starts,
 * because crawlers cannot space their requests without it. They also could not enqueue the fetched pages.
 */
export function createHostPacing({ pacing, clock, log }: HostPacingParts): HostPacing {
  const retryUntilAvailable = async <T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    for (let attempts = 1; ; attempts += 1) {
      signal.throwIfAborted();
      try {
        return await call();
      } catch (error) {
        if (attempts === 1)
          log.warn(
            { err: error },
            'the shared store of the host pacing is unavailable; requests wait until the store is available',
          );
        await clock.wait(STORE_RETRY_MS, signal);
      }
    }
  };
  return {
    async waitForStart(host, gapMs, signal, maxWaitMs = Infinity) {
      for (;;) {
        const waitMs = await retryUntilAvailable(() => pacing.acquireTurn(host, gapMs), signal);
        if (waitMs === 0) return;
        if (waitMs > maxWaitMs) throw new HostBusy(host, waitMs, gapMs);
        await clock.wait(waitMs, signal);
      }
    },
    pauseHost: (host, ms, signal) => retryUntilAvailable(() => pacing.blockKey(host, ms), signal),
  };
}
