import { fetchPage, listedItem, type ListedItem, type Listing, type Parameters } from '@quarry/item-listing';
import type { SafeFetch } from '@quarry/safe-fetch';

/** An answer of the endpoint that is a page. */
export interface Answer {
  readonly items: readonly ListedItem[];
  readonly totalCount: number;
  readonly request: string;
}

/** The endpoint that is checked. */
export interface Endpoint {
  /** @throws ListingBroken, ListingAway when the answer is no page */
  ask(...parameters: Parameters): Promise<Answer>;
  /** The slowest answer so far, in milliseconds. */
  slowestMs(): number;
}

export function openEndpoint(client: Pick<SafeFetch, 'fetch'>, listing: Listing): Endpoint {
  let slowest = 0;
  return {
    ask: async (...parameters) => {
      const begun = performance.now();
      const { items, totalCount, request } = await fetchPage(client, listing, parameters);
      slowest = Math.max(slowest, performance.now() - begun);
      return { items: items.map(listedItem), totalCount, request };
    },
    slowestMs: () => slowest,
  };
}
