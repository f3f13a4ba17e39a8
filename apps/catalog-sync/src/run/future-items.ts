import type { ListedItem } from '@quarry/item-listing';

const MAX_COUNTED = 1_000;

/** Collects the items that are dated in the future of their listing. */
export class FutureItems {
  readonly #keys = new Set<string>();
  #example: ListedItem | undefined;

  /** @param answeredAt the clock of the listing */
  add(items: readonly ListedItem[], answeredAt: string): void {
    for (const item of items) {
      if (item.modified === undefined || item.modified <= answeredAt || this.#keys.size >= MAX_COUNTED) continue;
      this.#example ??= item;
      this.#keys.add(item.documentKey);
    }
  }

  /** Describes these items for users; returns '' when there are none. */
  describe(): string {
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
