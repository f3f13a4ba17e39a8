/** Tracks words of deleted or replaced texts. No answer may contain them until they are published again. */
export class RetiredWords {
  readonly #times = new Map<string, number>();
  #clock = 0;

  /** Records that answers may no longer contain a word. */
  addWord(word: string): void {
    if (!this.#times.has(word)) this.#times.set(word, (this.#clock += 1));
  }

  /** Records that answers may contain a word again. */
  removeWord(word: string): void {
    this.#times.delete(word);
  }

  /** Returns a function that reports whether a word has been retired continuously since this call. */
  rememberRetired(): (word: string) => boolean {
    const before = this.#clock;
    return (word) => (this.#times.get(word) ?? Infinity) <= before;
  }
}
