/** What a process that crawled sends when it is done. */
export interface Outcome {
  readonly pages: number;
  readonly seconds: number;
  /** Of all of the process's threads, its start included: what a busy machine changes least. */
  readonly cpuSeconds: number;
  /** The most that the process held at once. */
  readonly megabytes: number;
  /** Words that were stored of all pages. */
  readonly words: number;
}

export function outcomeOf(pages: number, seconds: number, words: number): Outcome {
  const { user, system } = process.cpuUsage();
  return {
    pages,
    seconds,
    words,
    cpuSeconds: (user + system) / 1_000_000,
    megabytes: Math.round(process.resourceUsage().maxRSS / 1024),
  };
}

/** Letters and digits alone, so that marks of a markup are no words. */
export function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
