import {
  fetchPage,
  toListedItem,
  type ListedItem,
  type Listing,
  type Parameters,
  parametersOf,
} from '@quarry/item-listing';
import type { SafeFetch } from '@quarry/safe-fetch';

/** A page that the endpoint returned. */
export interface Page {
  readonly items: readonly ListedItem[];
  readonly totalCount: number;
  readonly request: string;
}

/** The endpoint under test. */
export interface Endpoint {
  /** Requests a page. @throws PermanentListingError, TemporaryListingError when the response is not a page */
  request(...parameters: Parameters): Promise<Page>;
  /** Returns the duration of the slowest request, in milliseconds. */
  slowestMs(): number;
}

export function openEndpoint(client: Pick<SafeFetch, 'fetch'>, listing: Listing): Endpoint {
  let slowestMs = 0;
  return {
    request: async (...parameters) => {
      const startedAt = performance.now();
      const { items, totalCount, request } = await fetchPage(client, listing, parameters);
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      return { items: items.map(toListedItem), totalCount, request };
    },
    slowestMs: () => slowestMs,
  };
}

/** Returns the parameters that a sync sends. */
export function syncParameters(query: {
  readonly take: number;
  readonly skip?: number;
  readonly after?: string;
}): Parameters {
  return parametersOf({ take: query.take, skip: query.skip ?? 0, modifiedAfter: query.after ?? '' });
}
