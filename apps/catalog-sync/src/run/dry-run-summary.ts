import type { DecidedItem } from '../documents/decide-items.js';

const SHOWN_PROBLEMS = 3;

/** Counts the items that a sync would index, leave unchanged or reject, for the report of a dry run. */
export class DryRunSummary {
  #index = 0;
  #unchanged = 0;
  #invalid = 0;
  readonly #problems: string[] = [];
  /** Contains the keys of counted items. Pages overlap, and each item counts once. */
  readonly #counted = new Set<string>();

  addItems(decided: readonly DecidedItem[]): void {
    for (const one of decided) {
      if (this.#counted.has(one.item.documentKey)) continue;
      this.#counted.add(one.item.documentKey);
      if (one.decision === 'index') this.#index += 1;
      else if (one.decision !== 'reject') this.#unchanged += 1;
      else {
        this.#invalid += 1;
        if (this.#problems.length < SHOWN_PROBLEMS) this.#problems.push(one.problem);
      }
    }
  }

  /** Returns the number of items that were read. */
  get readCount(): number {
    return this.#counted.size;
  }

  /** Returns the number of valid items. */
  get validCount(): number {
    return this.#index + this.#unchanged;
  }

  /**
   * Describes the counts for users.
   *
   * @param isWhole true when the whole listing was read. The gateway then adds the number of removals.
   */
  describeCounts(isWhole: boolean): string {
    const removed = isWhole ? '' : ', removals were not determined';
    const counts = `${this.#index} items would be indexed, ${this.#unchanged} have not changed, ${this.#invalid} are invalid${removed}`;
    return [`A dry run, which changed nothing: ${counts}.`, ...this.#problems.map((problem) => `${problem}.`)].join(
      ' ',
    );
  }
}
