/** A run that is overtaken ends well before that. */
const REMEMBERED_MS = 24 * 3_600_000;
const MAX_REMEMBERED = 100_000;

interface Removal {
  readonly upTo: number;
  readonly at: number;
}

/**
 * Remembers up to which generation documents were removed, so that a run that was still at work does not bring them back.
 * In memory is enough: the run is at work in this process, which alone writes.
 */
export class RemovedDocuments {
  /** By document id, in the order in which they were removed. */
  readonly #removals = new Map<string, Removal>();

  note(id: string, upTo: number): void {
    const latest = { upTo: Math.max(upTo, this.upTo(id)), at: performance.now() };
    this.#removals.delete(id);
    this.#removals.set(id, latest);
    for (const [oldest, { at }] of this.#removals) {
      if (this.#removals.size <= MAX_REMEMBERED && latest.at - at < REMEMBERED_MS) return;
      this.#removals.delete(oldest);
    }
  }

  /** @returns the generation up to which the document was removed, or 0 */
  upTo(id: string): number {
    return this.#removals.get(id)?.upTo ?? 0;
  }
}
