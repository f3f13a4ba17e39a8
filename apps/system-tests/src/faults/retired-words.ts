/**
 * Tracks retired words: those of deleted or replaced texts. No prompt may contain them until they are published again.
 */
export class RetiredWords {
  readonly #times = new Map<string, number>();
  #clock = 0;

  /** Records that a word is retired, so prompts may no longer contain it. */
  addWord(word: string): void {
    if (!this.#times.has(word)) this.#times.set(word, (this.#clock += 1));
  }

  /** Records that a word is no longer retired, so prompts may contain it again. */
  removeWord(word: string): void {
    this.#times.delete(word);
  }

  /** Returns a function that tests a word: true if the word was retired when the function was created, and still is. */
  createRetiredCheck(): (word: string) => boolean {
    const before = this.#clock;
    return (word) => (this.#times.get(word) ?? Infinity) <= before;
  }
}
