import {
  fetchListingPage,
  createListedItem,
  type ListedItem,
  type Listing,
  type Parameters,
  buildListingParameters,
} from '@quarry/item-listing';
import type { SafeFetch } from '@quarry/safe-fetch';

/** Describes one page of items, and the request that returned it. */
export interface Page {
  readonly items: readonly ListedItem[];
  readonly totalCount: number;
  readonly request: string;
}

/** Requests pages from the endpoint under test and measures the response times. */
export interface Endpoint {
  /**
   * Requests a page with these query parameters, each such as `take=1`.
   *
   * @throws PermanentListingError, TemporaryListingError when the response is not a page
   */
  request(...parameters: Parameters): Promise<Page>;
  /** Returns the duration of the slowest request, in milliseconds. */
  getSlowestMs(): number;
}

export function createEndpoint(client: Pick<SafeFetch, 'fetch'>, listing: Listing): Endpoint {
  let slowestMs = 0;
  return {
    request: async (...parameters) => {
      const startedAt = performance.now();
      const { items, totalCount, request } = await fetchListingPage(client, listing, parameters);
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      return { items: items.map(createListedItem), totalCount, request };
    },
    getSlowestMs: () => slowestMs,
  };
}

/** Builds the query parameters that a catalogue sync sends. */
export function buildSyncParameters(query: {
  readonly take: number;
  readonly skip?: number;
  readonly after?: string;
}): Parameters {
  return buildListingParameters({ take: query.take, skip: query.skip ?? 0, modifiedAfter: query.after ?? '' });
}
