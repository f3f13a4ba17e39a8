import { createRunNote, formatCount, type RunNote } from '@quarry/contracts';
import type { ListedItem, ListingScan } from '@quarry/item-listing';
import type { DecidedItem } from './run-documents.js';

const MAX_COUNTED = 1_000;

/** Collects the items whose `date_modified` is later than the clock of their listing. */
export class FutureItems {
  readonly #keys = new Set<string>();
  #example: ListedItem | undefined;

  /**
   * Adds those items of a page whose `date_modified` is later than `answeredAt`.
   *
   * @param answeredAt time at which the listing sent the page, by the clock of the listing, in ISO 8601
   */
  addPage(items: readonly ListedItem[], answeredAt: string): void {
    for (const item of items) {
      if (item.modified === undefined || item.modified <= answeredAt || this.#keys.size >= MAX_COUNTED) continue;
      this.#example ??= item;
      this.#keys.add(item.documentKey);
    }
  }

  /** Returns a note for users that counts the items with future dates; undefined when there are none. */
  describeItems(): RunNote | undefined {
    const { size } = this.#keys;
    if (size === 0) return undefined;
    const { id = '', modified: date = '' } = this.#example ?? {};
    const example = `item ${id === '' ? 'without an id' : id} (${date})`;
    const found =
      size === 1
        ? `A date_modified is in the future: ${example}`
        : `${size < MAX_COUNTED ? size : `${MAX_COUNTED} or more`} items have a date_modified in the future, such as ${example}`;
    const message = `${found}. Each sync reads items with a future date again.`;
    return createRunNote('dates_in_future', { items: size, more: size < MAX_COUNTED ? 0 : 1, id, date }, message);
  }
}

const SHOWN_PROBLEMS = 3;

/** Counts the items that a sync would index, leave unchanged or reject, for the report of a dry run. */
export class DryRunSummary {
  #index = 0;
  #unchanged = 0;
  #invalid = 0;
  readonly #problems: string[] = [];
  /** Document keys of the counted items. Pages overlap, so these keys prevent that an item counts twice. */
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

  /** Returns the number of distinct items that the dry run has read. */
  get readCount(): number {
    return this.#counted.size;
  }

  /** Returns the number of distinct valid items that the dry run has read. */
  get validCount(): number {
    return this.#index + this.#unchanged;
  }

  /**
   * Returns notes for users: the counts, and the problems of the first invalid items.
   *
   * @param isWhole true when the whole listing was read. The gateway then adds the number of documents that a sync
   *   would remove.
   */
  describeCounts(isWhole: boolean): readonly RunNote[] {
    const [changed, unchanged, invalid] = [this.#index, this.#unchanged, this.#invalid];
    const removed = isWhole ? '' : ', removals were not determined';
    const counts = `${changed} ${changed === 1 ? 'item' : 'items'} would be indexed, ${unchanged} ${unchanged === 1 ? 'has' : 'have'} not changed, ${invalid} ${invalid === 1 ? 'is' : 'are'} invalid${removed}`;
    const message = `A dry run, which changed nothing: ${counts}.`;
    const code = isWhole ? 'dry_run_counts' : 'dry_run_counts_without_removals';
    return [
      createRunNote(code, { changed, unchanged, invalid }, message),
      ...this.#problems.map((problem) => createRunNote('dry_run_item_invalid', { problem }, `${problem}.`)),
    ];
  }
}

/**
 * Returns a note for users that explains why a full sync removed nothing.
 *
 * @param total number of items according to `total_count`
 * @param read number of different items that the sync has read
 */
export function describeIncompleteReading(
  { isStable }: Pick<ListingScan, 'isStable'>,
  total: number,
  read: number,
): RunNote {
  if (!isStable) {
    const message = 'Nothing was removed, because items moved faster than they could be read.';
    return createRunNote('listing_changed_while_read', {}, message);
  }
  const message = `Nothing was removed, because total_count is ${total}, but ${formatCount(read, 'different item')} ${read === 1 ? 'was' : 'were'} read.`;
  return createRunNote('listing_count_differs', { total, read }, message);
}
