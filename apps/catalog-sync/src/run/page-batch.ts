import type { ListedItem, ScannedPage } from '@quarry/item-listing';

/** Maximum size of the pages that are read ahead, in characters. Pages of the same total size may be recorded meanwhile. */
export const MAX_READ_AHEAD_CHARACTERS = 500_000;
/** Minimum size that counts for an item, in characters. It limits the buffer to about 1,000 items. */
const MIN_ITEM_SIZE = 500;

/** Holds consecutive pages of a listing that are processed together. */
export interface PageBatch extends ScannedPage {
  /** The modification date after which a later scan resumes behind these pages. */
  readonly resumeAfter: string;
  /** The time of the listing's clock before the scan, ISO 8601. */
  readonly startedAt: string;
  /** The time of the listing's clock when it sent the last of these pages, ISO 8601. */
  readonly answeredAt: string;
}

/** Joins consecutive pages to one batch. @param pages at least one */
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

/** Estimates the memory that a page needs, in characters. */
export function estimatePageSize({ items }: Pick<ScannedPage, 'items'>): number {
  return items.reduce((sum, { size }) => sum + Math.max(size, MIN_ITEM_SIZE), 0);
}

/** Separates the first version of each document from later versions of the same document. */
export function separateRepeatedItems(items: readonly ListedItem[]): {
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
