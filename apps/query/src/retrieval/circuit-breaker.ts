/** Holds the settings of a circuit breaker. */
export interface BreakerSettings {
  /** Number of consecutive failures that opens the circuit. */
  readonly failures: number;
  /** Time in the open state before a probe, in milliseconds. */
  readonly openMs: number;
  /** Returns the current time in milliseconds; only differences matter. */
  readonly now?: () => number;
}

/**
 * Decides whether to call a dependency. After some consecutive failures the circuit opens and refuses all calls. After a while
 * one call probes the dependency; all other calls are refused without waiting until the probe has ended.
 *
 * Not a library, because cockatiel makes the other calls wait for the probe, and opossum lacks types and times its calls itself.
 */
export class CircuitBreaker {
  readonly #settings: BreakerSettings;
  readonly #now: () => number;
  #failures = 0;
  #openUntil = -Infinity;

  constructor(settings: BreakerSettings) {
    this.#settings = settings;
    this.#now = settings.now ?? (() => performance.now());
  }

  /**
   * Returns whether a call is admitted. The caller must report the outcome with `recordSuccess`, `recordFailure` or
   * `recordAbandoned`.
   */
  canCall(): boolean {
    if (this.#failures < this.#settings.failures) return true;
    if (this.#now() < this.#openUntil) return false;
    // Refuse the other calls until the probe has ended or is overdue.
    this.#openUntil = this.#now() + this.#settings.openMs;
    return true;
  }

  recordSuccess(): void {
    this.#failures = 0;
    this.#openUntil = -Infinity;
  }

  recordFailure(): void {
    this.#failures += 1;
    if (this.#failures >= this.#settings.failures) this.#openUntil = this.#now() + this.#settings.openMs;
  }

  /** Reports a call whose outcome reveals nothing about the dependency, so that the next call may probe. */
  recordAbandoned(): void {
    if (this.#failures >= this.#settings.failures) this.#openUntil = -Infinity;
  }
}
