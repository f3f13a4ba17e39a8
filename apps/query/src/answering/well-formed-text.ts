const HIGH_SURROGATE_AT_END = /[\ud800-\udbff]$/;
const LEADING_LINE_BREAKS = /^[\r\n]+/;

/**
 * Converts streamed text into text that every client can receive. Joins surrogate pairs that were split between pieces and
 * replaces unpaired surrogates with U+FFFD. Removes leading line breaks and U+FEFF, which some stream clients drop.
 */
export class WellFormedText {
  #buffer = '';
  #hasStarted = false;

  push(text: string): string {
    const all = this.#trimLeadingBreaks(this.#buffer + text.replaceAll('\uFEFF', ''));
    this.#buffer = HIGH_SURROGATE_AT_END.exec(all)?.[0] ?? '';
    return all.slice(0, all.length - this.#buffer.length).toWellFormed();
  }

  /** Ends the text. @returns the text that was still buffered. `push` must not be called afterwards */
  end(): string {
    return this.#buffer.toWellFormed();
  }

  #trimLeadingBreaks(text: string): string {
    if (this.#hasStarted) return text;
    const trimmed = text.replace(LEADING_LINE_BREAKS, '');
    this.#hasStarted = trimmed !== '';
    return trimmed;
  }
}
