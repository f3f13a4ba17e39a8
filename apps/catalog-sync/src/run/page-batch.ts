import type { ListedItem, ScannedPage } from '@quarry/item-listing';

/** Maximum size of the pages that are buffered. Pages of up to the same size are being recorded at that time. */
export const MAX_READ_AHEAD_CHARACTERS = 500_000;
/** Limits the buffer to about 1,000 items, however short they are. */
const MIN_ITEM_SIZE = 500;

/** Consecutive pages of a scan that are processed together. */
export interface PageBatch extends ScannedPage {
  /** The position from which a later scan can resume after these pages. */
  readonly resumeAfter: string;
  /** The clock of the listing before the scan, and when it served the last of these pages. */
  readonly startedAt: string;
  readonly answeredAt: string;
}

/** Joins consecutive pages. @param pages at least one page */
export function joinPages(pages: readonly PageBatch[]): PageBatch {
  const last = pages.at(-1);
  if (last === undefined) throw new Error('expected at least one page, found none');
  return {
    ...last,
    items: pages.flatMap(({ items }) => items),
    fresh: pages.flatMap(({ fresh }) => fresh),
    duplicates: pages.flatMap(({ duplicates }) => duplicates),
  };
}

/** Returns the memory that a page needs, in characters. */
export function pageSize({ items }: Pick<ScannedPage, 'items'>): number {
  return items.reduce((sum, { size }) => sum + Math.max(size, MIN_ITEM_SIZE), 0);
}

/** Separates the first version of each document from later versions of the same document. */
export function splitPage(items: readonly ListedItem[]): {
  readonly documents: readonly ListedItem[];
  readonly changedAgain: readonly ListedItem[];
} {
  const first = new Map<string, ListedItem>();
  const changedAgain: ListedItem[] = [];
  for (const item of items) {
    const earlier = first.get(item.documentKey);
    if (earlier === undefined) first.set(item.documentKey, item);
    else if (earlier.hash !== item.hash) changedAgain.push(item);
  }
  return { documents: [...first.values()], changedAgain };
}
