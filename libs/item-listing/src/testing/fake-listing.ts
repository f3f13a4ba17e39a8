import type { ListingPage } from '../listing-client.js';
import { buildListingParameters, formatRequestForMessages, type ListingQuery } from '../listing-request.js';
import type { ReadPage } from '../listing-scan.js';

export interface FakeItem {
  readonly id: string | number;
  readonly title: string;
  readonly date_modified: string;
}

/** Returns the date `ms` milliseconds after the start of 2026, in the form of an item date. */
export function formatDateAfter(ms: number): string {
  return new Date(Date.parse('2026-01-01T00:00:00.000Z') + ms).toISOString();
}

export function createFakeItem(id: string | number, modifiedMs: number, otherFields: object = {}): FakeItem {
  return { id, title: `Product ${id}`, date_modified: formatDateAfter(modifiedMs), ...otherFields };
}

export function createFakeItems(
  count: number,
  getModifiedMs: (index: number) => number = (index) => index,
): readonly FakeItem[] {
  return Array.from({ length: count }, (_, index) =>
    createFakeItem(`i${String(index).padStart(5, '0')}`, getModifiedMs(index)),
  );
}

/**
 * Simulates the item listing of a customer: filters, sorts and pages `items` as the contract of listings requires.
 * Records the received queries.
 */
export class FakeListing {
  items: readonly unknown[];
  readonly queries: ListingQuery[] = [];

  constructor(items: readonly unknown[]) {
    this.items = items;
  }

  /**
   * Reads a page. A test can replace this function to simulate a listing that does not filter, sort or page as
   * required.
   */
  readPage: ReadPage = async (query) => this.answerQuery(query);

  answerQuery(query: ListingQuery): ListingPage {
    this.queries.push(query);
    const matchingItems = this.filterItems(query);
    const items = matchingItems.slice(query.skip, query.skip + query.take);
    return this.buildPage(query, items, matchingItems.length);
  }

  filterItems({ modifiedAfter }: ListingQuery): readonly unknown[] {
    return this.items
      .filter((item) => modifiedAfter === '' || getModifiedDate(item) > modifiedAfter)
      .sort((a, b) => (getSortKey(a) < getSortKey(b) ? -1 : 1));
  }

  buildPage(query: ListingQuery, items: readonly unknown[], totalCount: number): ListingPage {
    return {
      items,
      totalCount,
      request: formatRequestForMessages('http://shop.example/items', buildListingParameters(query)),
    };
  }
}

function getModifiedDate(item: unknown): string {
  const { date_modified } = Object(item) as { date_modified?: unknown };
  return typeof date_modified === 'string' ? date_modified : '';
}

function getSortKey(item: unknown): string {
  const { id } = Object(item) as { id?: unknown };
  return `${getModifiedDate(item)} ${String(id)}`;
}
