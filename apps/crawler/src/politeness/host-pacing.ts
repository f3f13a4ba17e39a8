import type { Pacing } from '@quarry/queue';
import type { Log } from '@quarry/service-kit';
import type { Clock } from './clock.js';

/** Spaces the starts of requests to a host, over all crawlers. */
export interface HostPacing {
  /**
   * Waits until a request to the host may start.
   *
   * @param gapMs minimum time until the start of the next request to the host, by any crawler
   * @throws the signal's reason
   */
  waitForStart(host: string, gapMs: number, signal: AbortSignal): Promise<void>;

  /** Pauses the requests of all crawlers to the host. @throws the signal's reason */
  pauseHost(host: string, ms: number, signal: AbortSignal): Promise<void>;
}

export interface HostPacingParts {
  readonly pacing: Pacing;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

/** Delay between two attempts to reach the shared store. */
const STORE_RETRY_MS = 1_000;

/**
 * Creates the pacing that all crawlers share through one store. While the store is unavailable, no request starts: every
 * crawler would otherwise use its own clock, and none could hand on the pages that it fetched.
 */
export function createHostPacing({ pacing, clock, log }: HostPacingParts): HostPacing {
  const retryUntilAvailable = async <T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    for (let attempts = 1; ; attempts += 1) {
      signal.throwIfAborted();
      try {
        return await call();
      } catch (error) {
        if (attempts === 1) log.warn({ err: error }, 'the shared host pacing is unavailable; requests wait for it');
        await clock.wait(STORE_RETRY_MS, signal);
      }
    }
  };
  return {
    async waitForStart(host, gapMs, signal) {
      for (;;) {
        const waitMs = await retryUntilAvailable(() => pacing.take(host, gapMs), signal);
        if (waitMs === 0) return;
        await clock.wait(waitMs, signal);
      }
    },
    pauseHost: (host, ms, signal) => retryUntilAvailable(() => pacing.hold(host, ms), signal),
  };
}
