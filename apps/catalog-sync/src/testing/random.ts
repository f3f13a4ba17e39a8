/** Generates pseudo-random numbers that are reproducible from a seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns a number from 0, inclusive, to 1, exclusive. */
  nextNumber(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a whole number between two bounds, both inclusive. */
  pickInteger(min: number, max: number): number {
    return min + Math.floor(this.nextNumber() * (max - min + 1));
  }

  /** Returns true with the given probability, from 0 to 1. */
  decideAtRandom(probability: number): boolean {
    return this.nextNumber() < probability;
  }

  /** Returns one of the values, or undefined when there are none. */
  pickValue<T>(values: readonly T[]): T | undefined {
    return values[this.pickInteger(0, values.length - 1)];
  }
}
