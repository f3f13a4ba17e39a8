import { formatCount } from '@quarry/contracts';
import type { ListingPage } from './listing-client.js';
import { PermanentListingError } from './listing-errors.js';
import type { ListingQuery } from './listing-request.js';

/**
 * A listing is endless if a scan finds more new items than this multiple of `total_count`, plus `ENDLESS_MARGIN`. The
 * limit exceeds `total_count`, because customers can add and change items during a scan.
 */
const ENDLESS_FACTOR = 2;
const ENDLESS_MARGIN = 20_000;
/** Maximum number of items of a listing whose `total_count` does not count its items. */
const MAX_UNCOUNTED_ITEMS = 1_000_000;

interface Limit {
  readonly maxItems: number;
  /** States the expected number of items, for the error message. */
  readonly expected: string;
}

/** Limits the number of items that a scan finds, and thus detects a listing that never ends. */
export class ItemLimit {
  readonly #readPage: (query: ListingQuery) => Promise<ListingPage>;
  #found = 0;
  /** The limit by `total_count` of the first page. Undefined until the items of the first page are counted. */
  #firstLimit: Limit | undefined;
  /** The limit by the number of all items of the listing. Undefined until a scan exceeds `#firstLimit`. */
  #listingLimit: Limit | undefined;

  /** @param readPage called at most once, to request the number of all items */
  constructor(readPage: (query: ListingQuery) => Promise<ListingPage>) {
    this.#readPage = readPage;
  }

  /**
   * Counts the new items of a page. If items change during an incremental scan, the scan can find far more items than
   * matched its first request. Only the number of all items of the listing then shows whether the listing is endless.
   *
   * @throws PermanentListingError `listing_endless` if the scan has found more items than the limit
   */
  async countItems(newItems: number, { totalCount, request }: ListingPage): Promise<void> {
    this.#found += newItems;
    this.#firstLimit ??= createLimit(totalCount);
    if (this.#found <= this.#firstLimit.maxItems) return;
    this.#listingLimit ??= createListingLimit(await this.#readPage({ take: 1, skip: 0, modifiedAfter: '' }));
    const { maxItems, expected } = this.#listingLimit;
    if (this.#found <= maxItems) return;
    const found = `found ${this.#found} without reaching the end`;
    throw new PermanentListingError('listing_endless', `expected ${expected}, ${found} (${request})`);
  }
}

function createLimit(totalCount: number): Limit {
  return {
    maxItems: ENDLESS_FACTOR * totalCount + ENDLESS_MARGIN,
    expected: `${formatCount(totalCount, 'item')} according to total_count`,
  };
}

/** Creates the limit of a listing. In some listings, `total_count` is 0 or the number of items on the page. */
function createListingLimit({ totalCount, items }: ListingPage): Limit {
  if (totalCount !== 0 && totalCount !== items.length) return createLimit(totalCount);
  const expected = `at most ${MAX_UNCOUNTED_ITEMS} items, because total_count is not the number of all items`;
  return { maxItems: MAX_UNCOUNTED_ITEMS, expected };
}
