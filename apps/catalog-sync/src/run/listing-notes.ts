import type { ListedItem } from '@quarry/item-listing';
import type { DecidedItem } from './run-documents.js';

const MAX_COUNTED = 1_000;

/** Collects the items whose `date_modified` is later than the clock of their listing. */
export class FutureItems {
  readonly #keys = new Set<string>();
  #example: ListedItem | undefined;

  /**
   * Adds the items of a page that have a future date.
   *
   * @param answeredAt time of the response by the listing's clock, ISO 8601
   */
  addPage(items: readonly ListedItem[], answeredAt: string): void {
    for (const item of items) {
      if (item.modified === undefined || item.modified <= answeredAt || this.#keys.size >= MAX_COUNTED) continue;
      this.#example ??= item;
      this.#keys.add(item.documentKey);
    }
  }

  /** Describes the items with future dates for users. Returns '' when there are none. */
  describeItems(): string {
    const { size } = this.#keys;
    if (size === 0) return '';
    const example = `item ${this.#example?.id ?? 'without an id'} (${this.#example?.modified ?? ''})`;
    const found =
      size === 1
        ? `A date_modified is in the future: ${example}`
        : `${size < MAX_COUNTED ? size : `${MAX_COUNTED} or more`} items have a date_modified in the future, such as ${example}`;
    return `${found}. Each sync reads such items again.`;
  }
}

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
