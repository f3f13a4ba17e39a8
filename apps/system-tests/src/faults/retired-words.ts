/** Words that were deleted or replaced, and that no answer may use until they are published again. */
export class RetiredWords {
  readonly #times = new Map<string, number>();
  #clock = 0;

  /** Records that a word may not be used from now on. */
  add(word: string): void {
    if (!this.#times.has(word)) this.#times.set(word, (this.#clock += 1));
  }

  /** Records that a word may be used again. */
  remove(word: string): void {
    this.#times.delete(word);
  }

  /** Returns a function that returns whether a word has been retired since now, all the while. */
  remember(): (word: string) => boolean {
    const before = this.#clock;
    return (word) => (this.#times.get(word) ?? Infinity) <= before;
  }
}
