import type { StoredFragment } from '@quarry/fragment-store';

/** Maximum number of fragments whose token counts are cached. The cache then needs about 4 MB. */
const MAX_COUNTS = 20_000;

/**
 * Caches the number of tokens of fragments, because many answers use the same sources. A changed document gets new
 * fragment ids, so the count of an id never changes. A full cache removes the count that was not used for the longest
 * time.
 */
export class SourceTokens {
  readonly #counts = new Map<string, number>();
  readonly #maxCounts: number;

  constructor(maxCounts = MAX_COUNTS) {
    this.#maxCounts = maxCounts;
  }

  /** Returns the number of tokens of a fragment. If the number is not cached, calls `count` and caches the result. */
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
