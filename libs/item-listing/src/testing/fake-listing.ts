import type { ListingPage } from '../listing/listing-page.js';
import { parametersOf, shownRequest, type ListingQuery } from '../listing/listing-query.js';
import type { ReadPage } from '../scan/listing-scan.js';

export interface FakeItem {
  readonly id: string | number;
  readonly title: string;
  readonly date_modified: string;
}

/** A date of the contract's form, so many milliseconds after the begin of 2026. */
export function at(ms: number): string {
  return new Date(Date.parse('2026-01-01T00:00:00.000Z') + ms).toISOString();
}

export function fakeItem(id: string | number, ms: number, more: object = {}): FakeItem {
  return { id, title: `Product ${id}`, date_modified: at(ms), ...more };
}

export function fakeItems(count: number, dateOf: (index: number) => number = (index) => index): readonly FakeItem[] {
  return Array.from({ length: count }, (_, index) => fakeItem(`i${String(index).padStart(5, '0')}`, dateOf(index)));
}

/** A listing that keeps the contract, and remembers what it was asked. */
export class FakeListing {
  items: readonly unknown[];
  readonly queries: ListingQuery[] = [];

  constructor(items: readonly unknown[]) {
    this.items = items;
  }

  /** A test puts what breaks the contract in its place. */
  read: ReadPage = async (query) => this.answer(query);

  answer(query: ListingQuery): ListingPage {
    this.queries.push(query);
    const matching = this.matching(query);
    const items = matching.slice(query.skip, query.skip + query.take);
    return this.page(query, items, matching.length);
  }

  matching({ modifiedAfter }: ListingQuery): readonly unknown[] {
    return this.items
      .filter((item) => modifiedAfter === '' || dateOf(item) > modifiedAfter)
      .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  }

  page(query: ListingQuery, items: readonly unknown[], totalCount: number): ListingPage {
    return { items, totalCount, request: shownRequest('http://shop.example/items', parametersOf(query)) };
  }
}

function dateOf(item: unknown): string {
  const { date_modified } = Object(item) as { date_modified?: unknown };
  return typeof date_modified === 'string' ? date_modified : '';
}

function orderOf(item: unknown): string {
  const { id } = Object(item) as { id?: unknown };
  return `${dateOf(item)} ${String(id)}`;
}
