import {
  HashedKeySet,
  ItemCount,
  ListingScan,
  buildListingParameters,
  type ListedItem,
  type ReadPage,
} from '@quarry/item-listing';
import type { Endpoint, Page } from './endpoint.js';

/** Holds items of a listing, read by the same requests as in a catalogue sync. */
export interface Sample {
  /** The items in the order of the listing, each one once. */
  readonly items: readonly ListedItem[];
  /** The count of the items that were read. It includes items with the same id as an earlier item. */
  readonly count: ItemCount;
  /** True if `items` contains every item of the listing. */
  readonly isWhole: boolean;
  /** The value of `total_count` in the first response of the listing. */
  readonly totalCount: number;
  /** The first request to the listing, formatted for messages, such as `GET https://…`. */
  readonly request: string;
}

/**
 * Reads the listing until its end, or until enough items are read.
 *
 * @param maxItems number of items after which the function stops reading
 * @throws PermanentListingError, TemporaryListingError if the listing cannot be read
 */
export async function readSample(endpoint: Endpoint, maxItems: number): Promise<Sample> {
  let request = '';
  const readPage: ReadPage = async (query) => {
    const answer = await endpoint.request(...buildListingParameters(query));
    if (request === '') ({ request } = answer);
    return { ...answer, items: answer.items.map(({ raw }) => raw) };
  };
  const scan = new ListingScan(readPage, { take: 100, modifiedAfter: '', now: () => new Date() });
  const count = createItemCount();
  const items = new Map<string, ListedItem>();
  let page = await scan.readNextPage();
  while (page !== undefined && items.size < maxItems) {
    count.countPage(page, scan.startedAt);
    for (const item of page.items) items.set(item.documentKey, item);
    page = await scan.readNextPage();
  }
  return { items: [...items.values()], count, isWhole: page === undefined, totalCount: scan.totalCount ?? 0, request };
}

/** Creates a sample that contains the items of one page. */
export function createSampleOfPage({ items, totalCount, request }: Page): Sample {
  const keys = items.map(({ documentKey }) => documentKey);
  const fresh = items.filter(({ documentKey }, index) => keys.indexOf(documentKey) === index);
  const duplicates = items.filter(({ documentKey }, index) => keys.indexOf(documentKey) !== index);
  const count = createItemCount();
  count.countPage({ fresh, duplicates }, '');
  return { items: fresh, count, isWhole: false, totalCount, request };
}

function createItemCount(): ItemCount {
  return new ItemCount(new HashedKeySet());
}
