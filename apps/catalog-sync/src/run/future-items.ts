import type { ListedItem } from '@quarry/item-listing';

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
