import { ListingScan, parametersOf, type ListedItem, type ReadPage } from '@quarry/item-listing';
import type { Endpoint } from './endpoint.js';

/** What a reading of the listing, in the way the service reads it, has shown. */
export interface Sample {
  /** In the listing's order, each once. */
  readonly items: readonly ListedItem[];
  /** Whether these are all. */
  readonly whole: boolean;
  /** As the first response said. */
  readonly totalCount: number;
  /** The first request. */
  readonly request: string;
}

/**
 * @param most items are enough
 * @throws ListingBroken, ListingAway as the service would end with
 */
export async function takeSample(endpoint: Endpoint, most: number): Promise<Sample> {
  let request = '';
  const read: ReadPage = async (query) => {
    const answer = await endpoint.ask(...parametersOf(query));
    if (request === '') ({ request } = answer);
    return { ...answer, items: answer.items.map(({ raw }) => raw) };
  };
  const scan = new ListingScan(read, { take: 100, modifiedAfter: '', now: () => new Date() });
  const items = new Map<string, ListedItem>();
  let page = await scan.next();
  while (page !== undefined && items.size < most) {
    for (const item of page.items) items.set(item.documentKey, item);
    page = await scan.next();
  }
  return { items: [...items.values()], whole: page === undefined, totalCount: scan.totalCount ?? 0, request };
}
