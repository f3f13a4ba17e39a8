import { readItem } from '../listing/read-item.js';
import type { DecidedItem } from '../scan/ledger.js';

const SHOWN_PROBLEMS = 3;

/** Counts what a dry run would do. */
export class Tally {
  #handOver = 0;
  #unchanged = 0;
  #invalid = 0;
  readonly #problems: string[] = [];
  /** Pages overlap. */
  readonly #counted = new Set<string>();

  add(decided: readonly DecidedItem[]): void {
    for (const { item, decision } of decided) {
      if (decision === 'defer' || this.#counted.has(item.documentKey)) continue;
      this.#counted.add(item.documentKey);
      const reading = readItem(item);
      if (!reading.valid) {
        this.#invalid += 1;
        if (this.#problems.length < SHOWN_PROBLEMS) this.#problems.push(reading.problem);
      } else if (decision === 'hand-over') this.#handOver += 1;
      else this.#unchanged += 1;
    }
  }

  /** How many items could be indexed. */
  get valid(): number {
    return this.#handOver + this.#unchanged;
  }

  /** @param isWhole whether all that there is was read: then the gateway adds what would be removed */
  inWords(isWhole: boolean): string {
    const removed = isWhole ? '' : ', removals were not looked for';
    const counts = `${this.#handOver} items would be indexed, ${this.#unchanged} have not changed, ${this.#invalid} are invalid${removed}`;
    return [`A dry run, which changed nothing: ${counts}.`, ...this.#problems.map((problem) => `${problem}.`)].join(
      ' ',
    );
  }
}
