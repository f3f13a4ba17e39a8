import type { ListedItem } from '../listing/listed-item.js';

/** Describes the items of a page, separated into new items, repeated items and duplicates. */
export interface ClassifiedItems {
  /** One item per id and date, in the order of the listing. */
  readonly items: readonly ListedItem[];
  /** The items of `items` whose id and date no earlier page contained. */
  readonly fresh: readonly ListedItem[];
  /** Items that share id and date with one of `items`. Each is returned once per scan. */
  readonly duplicates: readonly ListedItem[];
}

interface NumberedPosition {
  readonly position: string;
  /** 1 for the first item with this id and date, 2 for the second, and so on. */
  readonly nth: number;
}

/** Identifies the position of an item in the order. A modified item moves to a later position. */
export function positionOf({ modified, documentKey }: ListedItem): string {
  return `${modified ?? ''} ${documentKey}`;
}

/**
 * Recognizes items that overlapping pages repeat, and items that share an id and a date. Stores only positions that the next page
 * can repeat.
 */
export class PositionTracker {
  readonly #shown = new Map<string, number>();
  #last: NumberedPosition | undefined;

  /** Adds a page. @param overlaps true when the page starts with the last item of the previous page */
  add(page: readonly ListedItem[], overlaps: boolean): ClassifiedItems {
    const numbers = new Map<string, number>();
    const [first] = page;
    if (overlaps && first !== undefined && this.#last?.position === positionOf(first)) {
      numbers.set(this.#last.position, this.#last.nth - 1);
    }
    const placed = { items: [] as ListedItem[], fresh: [] as ListedItem[], duplicates: [] as ListedItem[] };
    for (const item of page) {
      const position = positionOf(item);
      const nth = (numbers.get(position) ?? 0) + 1;
      const isNew = nth > (this.#shown.get(position) ?? 0);
      numbers.set(position, nth);
      if (isNew) this.#shown.set(position, nth);
      if (nth === 1) placed.items.push(item);
      if (isNew) (nth === 1 ? placed.fresh : placed.duplicates).push(item);
      this.#last = { position, nth };
    }
    return placed;
  }

  /** Removes the positions that no page after `modifiedAfter` contains. Items without a date can be on any page. */
  openWindow(modifiedAfter: string): void {
    for (const position of this.#shown.keys()) {
      if (!position.startsWith(' ') && position < modifiedAfter) this.#shown.delete(position);
    }
  }
}
