const CONSONANTS = ['b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 't', 'v', 'z'];
const VOWELS = ['a', 'e', 'i', 'o', 'u'];
const SYLLABLES = 5;

/** Generates a sequence of random numbers that depends only on its seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** Returns the next random number, from 0 (inclusive) to 1 (exclusive). */
  nextNumber(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a random whole number between two bounds, both included. */
  pickInteger(least: number, most: number): number {
    return least + Math.floor(this.nextNumber() * (most - least + 1));
  }

  isChosen(probability: number): boolean {
    return this.nextNumber() < probability;
  }

  /** Chooses one of the values at random. @throws RangeError if there are no values */
  chooseValue<T>(values: readonly T[]): T {
    const chosen = values[this.pickInteger(0, values.length - 1)];
    if (chosen === undefined) throw new RangeError('expected at least one value to choose from, found none');
    return chosen;
  }

  /**
   * Returns a new sequence for a task that runs in parallel. The order in which parallel tasks draw numbers then does
   * not affect this sequence.
   */
  forkSequence(): Random {
    return new Random(this.pickInteger(-(2 ** 31), 2 ** 31 - 1));
  }

  /** Returns a random word that practically never occurs twice. */
  createWord(): string {
    const createSyllable = (): string => this.chooseValue(CONSONANTS) + this.chooseValue(VOWELS);
    return `zq${Array.from({ length: SYLLABLES }, createSyllable).join('')}x`;
  }
}

/**
 * Returns all words in a text that have the form of `Random.createWord`. A word that occurs several times is returned
 * several times.
 */
export function findRandomWords(text: string): readonly string[] {
  return text.match(/\bzq[a-z]{10}x\b/g) ?? [];
}
