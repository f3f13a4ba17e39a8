/**
 * Milliseconds for which removals are retained. This is much longer than the duration of any run that is active at the
 * removal.
 */
const REMOVAL_RETENTION_MS = 24 * 3_600_000;
const MAX_REMEMBERED = 100_000;

interface Removal {
  readonly upTo: number;
  readonly at: number;
}

/**
 * Holds the generation up to which each document was removed, so that an active run does not restore the document. The
 * generations are kept only in memory, because this process is the only writer, and so executes every active run.
 */
export class RemovedDocuments {
  /** Maps document ids to removals, in the order of the removals. */
  readonly #removals = new Map<string, Removal>();

  recordRemoval(id: string, upTo: number): void {
    const latest = { upTo: Math.max(upTo, this.getRemovedGeneration(id)), at: performance.now() };
    this.#removals.delete(id);
    this.#removals.set(id, latest);
    for (const [oldest, { at }] of this.#removals) {
      if (this.#removals.size <= MAX_REMEMBERED && latest.at - at < REMOVAL_RETENTION_MS) return;
      this.#removals.delete(oldest);
    }
  }

  /** Returns the generation up to which the document was removed, or 0 if it was not removed. */
  getRemovedGeneration(id: string): number {
    return this.#removals.get(id)?.upTo ?? 0;
  }
}
