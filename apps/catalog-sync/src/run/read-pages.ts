import type { ListedItem, ScannedPage } from '@quarry/item-listing';

/** The most that is read and waits to be recorded: as much again is being recorded meanwhile. */
export const MAX_READ_AHEAD_CHARACTERS = 500_000;
/** No more than about 1,000 items wait, however short they are. */
const MIN_ITEM_SIZE = 500;

/** Consecutive pages of a scan. */
export interface ReadPages extends ScannedPage {
  /** Where the scan stood after them. */
  readonly goesOnAfter: string;
  /** The listing's clock before the scan, and when it answered the last of the pages. */
  readonly begunAt: string;
  readonly answeredAt: string;
}

/** @param pages at least one */
export function joinPages(pages: readonly ReadPages[]): ReadPages {
  const last = pages.at(-1);
  if (last === undefined) throw new Error('expected at least one page, found none');
  return {
    ...last,
    items: pages.flatMap(({ items }) => items),
    fresh: pages.flatMap(({ fresh }) => fresh),
    doubles: pages.flatMap(({ doubles }) => doubles),
  };
}

/** Returns the size of what is kept of a page, in characters. */
export function pageSize({ items }: Pick<ScannedPage, 'items'>): number {
  return items.reduce((sum, { size }) => sum + Math.max(size, MIN_ITEM_SIZE), 0);
}

/** Separates the first item of each document from those that show another version of it. */
export function splitPage(items: readonly ListedItem[]): {
  readonly documents: readonly ListedItem[];
  readonly changedAgain: readonly ListedItem[];
} {
  const first = new Map<string, ListedItem>();
  const changedAgain: ListedItem[] = [];
  for (const item of items) {
    const sooner = first.get(item.documentKey);
    if (sooner === undefined) first.set(item.documentKey, item);
    else if (sooner.hash !== item.hash) changedAgain.push(item);
  }
  return { documents: [...first.values()], changedAgain };
}
