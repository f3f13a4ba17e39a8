const HIGH_SURROGATE_AT_END = /[\ud800-\udbff]$/;
const LEADING_LINE_BREAKS = /^[\r\n]+/;

/**
 * Makes a text that arrives in pieces one that every client can be told: a character that was cut in two stays whole, and half a
 * character without its other half becomes U+FFFD. Line breaks at the very beginning and U+FEFF, which say nothing and which not
 * every client hears in a stream, are left out.
 */
export class WellFormedText {
  #held = '';
  #begun = false;

  push(text: string): string {
    const all = this.#fromItsBeginning(this.#held + text.replaceAll('\uFEFF', ''));
    this.#held = HIGH_SURROGATE_AT_END.exec(all)?.[0] ?? '';
    return all.slice(0, all.length - this.#held.length).toWellFormed();
  }

  /** @returns what was held back. Nothing may be pushed after it. */
  end(): string {
    return this.#held.toWellFormed();
  }

  #fromItsBeginning(text: string): string {
    if (this.#begun) return text;
    const begun = text.replace(LEADING_LINE_BREAKS, '');
    this.#begun = begun !== '';
    return begun;
  }
}
