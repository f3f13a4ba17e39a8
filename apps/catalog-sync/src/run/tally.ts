import type { DecidedItem } from '../documents/decide-items.js';

const SHOWN_PROBLEMS = 3;

/** Counts what a dry run would do. */
export class Tally {
  #index = 0;
  #unchanged = 0;
  #invalid = 0;
  readonly #problems: string[] = [];
  /** Pages overlap. */
  readonly #counted = new Set<string>();

  add(decided: readonly DecidedItem[]): void {
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

  /** Items that were read. */
  get read(): number {
    return this.#counted.size;
  }

  /** Items that could be indexed. */
  get valid(): number {
    return this.#index + this.#unchanged;
  }

  /** @param isWhole whether all that there is was read: then the gateway adds what would be removed */
  describe(isWhole: boolean): string {
    const removed = isWhole ? '' : ', removals were not looked for';
    const counts = `${this.#index} items would be indexed, ${this.#unchanged} have not changed, ${this.#invalid} are invalid${removed}`;
    return [`A dry run, which changed nothing: ${counts}.`, ...this.#problems.map((problem) => `${problem}.`)].join(
      ' ',
    );
  }
}
