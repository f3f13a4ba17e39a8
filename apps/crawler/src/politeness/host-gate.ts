import type { Clock } from './clock.js';

/** Hosts that nobody is asking are forgotten when there are more than this. */
const MOST_HOSTS = 2_000;

/** Lets requests to a host through, not too many at a time and not too soon after each other, in the order they came. */
export class HostGate {
  readonly #hosts = new Map<string, HostTurns>();
  readonly #concurrency: number;
  readonly #clock: Clock;

  constructor(concurrency: number, clock: Clock) {
    this.#concurrency = concurrency;
    this.#clock = clock;
  }

  /**
   * @param delayMs from the start of this request to the start of the host's next
   * @throws the signal's reason, and what `request` throws
   */
  async run<T>(host: string, delayMs: number, signal: AbortSignal, request: () => Promise<T>): Promise<T> {
    const turns = this.#turnsOf(host);
    await turns.take(delayMs, signal);
    try {
      return await request();
    } finally {
      turns.give();
    }
  }

  /** Lets nothing through to the host for this long. */
  hold(host: string, ms: number): void {
    this.#turnsOf(host).hold(ms);
  }

  #turnsOf(host: string): HostTurns {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    if (this.#hosts.size >= MOST_HOSTS) this.#forgetIdle();
    const turns = new HostTurns(this.#concurrency, this.#clock);
    this.#hosts.set(host, turns);
    return turns;
  }

  #forgetIdle(): void {
    for (const [host, turns] of this.#hosts) if (turns.isIdle()) this.#hosts.delete(host);
  }
}

class HostTurns {
  readonly #concurrency: number;
  readonly #clock: Clock;
  #line: Promise<void> = Promise.resolve();
  #waiting = 0;
  #active = 0;
  #notBefore = 0;
  #onGiven: (() => void) | undefined;

  constructor(concurrency: number, clock: Clock) {
    this.#concurrency = concurrency;
    this.#clock = clock;
  }

  isIdle(): boolean {
    return this.#waiting === 0 && this.#active === 0 && this.#notBefore <= this.#clock.now();
  }

  hold(ms: number): void {
    this.#notBefore = Math.max(this.#notBefore, this.#clock.now() + ms);
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

  give(): void {
    this.#active -= 1;
    this.#onGiven?.();
  }

  // One at a time: the line sees to it.
  async #start(delayMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while (this.#active >= this.#concurrency) await this.#given();
    for (let left = this.#left(); left > 0; left = this.#left()) await this.#clock.wait(left, signal);
    signal.throwIfAborted();
    this.#active += 1;
    this.hold(delayMs);
  }

  #left(): number {
    return this.#notBefore - this.#clock.now();
  }

  #given(): Promise<void> {
    return new Promise((resolve) => {
      this.#onGiven = resolve;
    });
  }
}
