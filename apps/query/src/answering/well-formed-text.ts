const HIGH_SURROGATE_AT_END = /[\ud800-\udbff]$/;

/**
 * Makes a text that arrives in pieces well-formed: a character that was cut in two stays whole, and half a character without its
 * other half becomes U+FFFD.
 */
export class WellFormedText {
  #held = '';

  push(text: string): string {
    const all = this.#held + text;
    this.#held = HIGH_SURROGATE_AT_END.exec(all)?.[0] ?? '';
    return all.slice(0, all.length - this.#held.length).toWellFormed();
  }

  /** @returns what was held back. Nothing may be pushed after it. */
  end(): string {
    return this.#held.toWellFormed();
  }
}
