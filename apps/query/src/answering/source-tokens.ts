import type { StoredFragment } from '@quarry/fragment-store';

/** Maximum number of cached counts, which need about 4 MB. */
const MAX_COUNTS = 20_000;

/**
 * Caches the number of tokens of fragments, because answers share popular sources. Versions of a document share no ids, so a count
 * is valid forever. A full cache removes the count that was not used for the longest time.
 */
export class SourceTokens {
  readonly #counts = new Map<string, number>();
  readonly #maxCounts: number;

  constructor(maxCounts = MAX_COUNTS) {
    this.#maxCounts = maxCounts;
  }

  /** Returns the count of a fragment. Calls `count` if it is not cached. */
  getOrCount({ id }: Pick<StoredFragment, 'id'>, count: () => number): number {
    const tokens = this.#counts.get(id) ?? count();
    this.#counts.delete(id);
    this.#counts.set(id, tokens);
    for (const oldest of this.#counts.keys()) {
      if (this.#counts.size <= this.#maxCounts) break;
      this.#counts.delete(oldest);
    }
    return tokens;
  }
}
