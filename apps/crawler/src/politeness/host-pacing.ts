import type { Pacing } from '@quarry/queue';
import type { Log } from '@quarry/service-kit';
import type { Clock } from './clock.js';

/** When requests to a host may begin: one pace for all crawlers together. */
export interface HostPacing {
  /**
   * Waits until a request may begin.
   *
   * @param gapMs until the start of the host's next, whoever makes it
   * @throws the signal's reason
   */
  turn(host: string, gapMs: number, signal: AbortSignal): Promise<void>;

  /** Lets nobody's requests through to the host for this long. @throws the signal's reason */
  hold(host: string, ms: number, signal: AbortSignal): Promise<void>;
}

export interface HostPacingParts {
  readonly pacing: Pacing;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

/** Between two questions to a store that is away. */
const AWAY_MS = 1_000;

/**
 * Keeps the pace that the crawlers share. While the store is away no request begins: a crawler that went on by its own clock
 * would be one of many that do, and what it finds could be handed to nobody.
 */
export function hostPacing({ pacing, clock, log }: HostPacingParts): HostPacing {
  const patiently = async <T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      signal.throwIfAborted();
      try {
        return await ask();
      } catch (error) {
        if (tries === 1) log.warn({ err: error }, 'the shared pace cannot be asked for: requests wait until it can');
        await clock.wait(AWAY_MS, signal);
      }
    }
  };
  return {
    async turn(host, gapMs, signal) {
      for (;;) {
        const waitMs = await patiently(() => pacing.take(host, gapMs), signal);
        if (waitMs === 0) return;
        await clock.wait(waitMs, signal);
      }
    },
    hold: (host, ms, signal) => patiently(() => pacing.hold(host, ms), signal),
  };
}
