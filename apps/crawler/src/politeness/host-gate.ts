import type { Clock } from './clock.js';
import type { HostPacing } from './host-pacing.js';

/** Hosts that nobody is asking are forgotten when there are more than this. */
const MOST_HOSTS = 2_000;

export interface HostGateParts {
  /** Requests to one host at the same time. */
  readonly concurrency: number;
  readonly pacing: HostPacing;
  readonly clock: Pick<Clock, 'now'>;
}

/** Lets requests to a host through, not too many at a time and not too soon after each other, in the order they came. */
export class HostGate {
  readonly #hosts = new Map<string, HostTurns>();
  readonly #parts: HostGateParts;

  constructor(parts: HostGateParts) {
    this.#parts = parts;
  }

  /**
   * @param delayMs from the start of this request to the start of the host's next, by whichever crawler. It is longer for a
   * host that takes long to answer: see `HostTurns`. 0: neither is kept.
   * @throws the signal's reason, and what `request` throws
   */
  async run<T>(host: string, delayMs: number, signal: AbortSignal, request: () => Promise<T>): Promise<T> {
    const { now } = this.#parts.clock;
    const turns = this.#turnsOf(host);
    await turns.take(delayMs, signal);
    const begun = now();
    try {
      return await request();
    } finally {
      turns.give(now() - begun);
    }
  }

  #turnsOf(host: string): HostTurns {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    if (this.#hosts.size >= MOST_HOSTS) this.#forgetIdle();
    const turns = new HostTurns(host, this.#parts);
    this.#hosts.set(host, turns);
    return turns;
  }

  #forgetIdle(): void {
    for (const [host, turns] of this.#hosts) if (turns.isIdle()) this.#hosts.delete(host);
  }
}

/**
 * The turns of one host. How many requests are under way is counted here, by each crawler for itself. So that all crawlers
 * together have no more under way, requests that take d ms begin at least d / concurrency apart: what is under way on average is
 * how often it begins times how long it takes (Little's law).
 */
class HostTurns {
  readonly #host: string;
  readonly #parts: HostGateParts;
  #line: Promise<void> = Promise.resolve();
  #waiting = 0;
  #active = 0;
  /** What requests take, the later ones counting more. */
  #tookMs: number | undefined;
  #onGiven: (() => void) | undefined;

  constructor(host: string, parts: HostGateParts) {
    this.#host = host;
    this.#parts = parts;
  }

  isIdle(): boolean {
    return this.#waiting === 0 && this.#active === 0;
  }

  async take(delayMs: number, signal: AbortSignal): Promise<void> {
    this.#waiting += 1;
    const turn = this.#line.then(() => this.#start(delayMs, signal));
    this.#line = turn.catch(() => undefined);
    try {
      await turn;
    } finally {
      this.#waiting -= 1;
    }
  }

  give(tookMs: number): void {
    this.#active -= 1;
    this.#tookMs = this.#tookMs === undefined ? tookMs : (this.#tookMs + tookMs) / 2;
    this.#onGiven?.();
  }

  // One at a time: the line sees to it.
  async #start(delayMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while (this.#active >= this.#parts.concurrency) await this.#given();
    await this.#parts.pacing.turn(this.#host, this.#gapMs(delayMs), signal);
    signal.throwIfAborted();
    this.#active += 1;
  }

  #gapMs(delayMs: number): number {
    if (delayMs === 0) return 0;
    return Math.max(delayMs, (this.#tookMs ?? 0) / this.#parts.concurrency);
  }

  #given(): Promise<void> {
    return new Promise((resolve) => {
      this.#onGiven = resolve;
    });
  }
}
