/** The message that a crawler process sends when it has finished. */
export interface Outcome {
  readonly pages: number;
  readonly seconds: number;
  /**
   * CPU seconds of all threads since the start of the process. Other programs on the machine affect this value less
   * than the elapsed time.
   */
  readonly cpuSeconds: number;
  /** Maximum resident memory of the crawler process, in MB. */
  readonly megabytes: number;
  /** Number of words in the texts that the crawler has stored, of all pages together. */
  readonly words: number;
}

export function createOutcome(pages: number, seconds: number, words: number): Outcome {
  const { user, system } = process.cpuUsage();
  return {
    pages,
    seconds,
    words,
    cpuSeconds: (user + system) / 1_000_000,
    megabytes: Math.round(process.resourceUsage().maxRSS / 1024),
  };
}

/** Counts the words of a text: sequences of letters and digits, so that Markdown syntax does not count. */
export function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
