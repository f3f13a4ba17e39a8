/** Describes the message of a crawler process that has finished. */
export interface Outcome {
  readonly pages: number;
  readonly seconds: number;
  /** CPU seconds of all threads, including the start. It varies least on a busy machine. */
  readonly cpuSeconds: number;
  /** Maximum resident memory. */
  readonly megabytes: number;
  /** Words stored from all pages. */
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

/** Counts sequences of letters and digits, so that markup is not counted. */
export function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
