/** Settings of a breaker. */
export interface BreakerSettings {
  /** Failures in a row after which calls are refused. */
  readonly failures: number;
  /** How long they are refused before one call tries again. */
  readonly openMs: number;
  /** Milliseconds; only differences count. */
  readonly now?: () => number;
}

/**
 * Decides whether a dependency is worth calling. After some failures in a row it refuses calls for a while; then one call
 * probes the dependency, and all others are refused until the probe has ended, so that none of them waits for it.
 *
 * Own code, because cockatiel makes the others wait for the probe, and opossum is untyped and times and counts what it runs.
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

  /** Returns whether a call may be made. Whoever makes it reports its outcome with one of the three methods below. */
  admits(): boolean {
    if (this.#failures < this.#settings.failures) return true;
    if (this.#now() < this.#openUntil) return false;
    // Until the probe has ended, or is overdue, the others are refused.
    this.#openUntil = this.#now() + this.#settings.openMs;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openUntil = -Infinity;
  }

  failed(): void {
    this.#failures += 1;
    if (this.#failures >= this.#settings.failures) this.#openUntil = this.#now() + this.#settings.openMs;
  }

  /** The call was given up for a reason that says nothing about the dependency: the next one may probe. */
  abandoned(): void {
    if (this.#failures >= this.#settings.failures) this.#openUntil = -Infinity;
  }
}
