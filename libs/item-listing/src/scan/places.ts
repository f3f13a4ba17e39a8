import type { ListedItem } from '../listing/listed-item.js';

/** The items of a page, by what earlier pages of the same scan have shown. */
export interface PlacedItems {
  /** One item for each id and date, in the listing's order. */
  readonly items: readonly ListedItem[];
  /** Those of `items` whose id and date no earlier page has shown. */
  readonly fresh: readonly ListedItem[];
  /** Items that share id and date with one of `items`, each once in a scan. */
  readonly doubles: readonly ListedItem[];
}

interface NumberedPlace {
  readonly place: string;
  /** 1 for the first item with this id and date, 2 for the next one. */
  readonly nth: number;
}

/** Identifies where an item stands in the order: an item that is modified moves to another place, further on. */
export function placeOf({ modified, documentKey }: ListedItem): string {
  return `${modified ?? ''} ${documentKey}`;
}

/**
 * Recognises the items that overlapping pages show again, and those that share an id and a date. Keeps the places that the next
 * page can show again, not those of the whole listing.
 */
export class Places {
  readonly #shown = new Map<string, number>();
  #last: NumberedPlace | undefined;

  /** @param overlaps whether the page begins with the item that ended the page before */
  add(page: readonly ListedItem[], overlaps: boolean): PlacedItems {
    const numbers = new Map<string, number>();
    const [first] = page;
    if (overlaps && first !== undefined && this.#last?.place === placeOf(first)) {
      numbers.set(this.#last.place, this.#last.nth - 1);
    }
    const placed = { items: [] as ListedItem[], fresh: [] as ListedItem[], doubles: [] as ListedItem[] };
    for (const item of page) {
      const place = placeOf(item);
      const nth = (numbers.get(place) ?? 0) + 1;
      const isNew = nth > (this.#shown.get(place) ?? 0);
      numbers.set(place, nth);
      if (isNew) this.#shown.set(place, nth);
      if (nth === 1) placed.items.push(item);
      if (isNew) (nth === 1 ? placed.fresh : placed.doubles).push(item);
      this.#last = { place, nth };
    }
    return placed;
  }

  /** Forgets the places that no page after `modifiedAfter` shows. Items without a date can stand on any page. */
  openWindow(modifiedAfter: string): void {
    for (const place of this.#shown.keys()) {
      if (!place.startsWith(' ') && place < modifiedAfter) this.#shown.delete(place);
    }
  }
}
