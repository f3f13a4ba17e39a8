import {
  type ListingPage,
  buildListingParameters,
  formatRequestForMessages,
  type ListingQuery,
} from '@quarry/item-listing';
import type { Random } from './random.js';

export interface ShopItem {
  readonly id: string | number;
  readonly title: string;
  readonly date_modified: string;
  readonly price: number;
}

/**
 * Describes the modification dates of a shop's edits. `compliant`: each edit gets the current date, as the listing
 * contract requires. `noncompliant`: some edits keep the old date or get a past date.
 */
export type ShopBehavior = 'compliant' | 'noncompliant';

const BEGIN = Date.parse('2026-01-01T00:00:00.000Z');

/** Simulates a shop that is edited at random and serves its items as a listing. */
export class SimulatedShop {
  readonly items = new Map<string, ShopItem>();
  readonly #random: Random;
  readonly #behavior: ShopBehavior;
  #clock = BEGIN;
  #created = 0;
  requests = 0;

  constructor(random: Random, behavior: ShopBehavior) {
    this.#random = random;
    this.#behavior = behavior;
    for (let left = random.pickInteger(0, 12); left > 0; left -= 1) this.#editOneItem();
  }

  /** Applies some random edits, often in the same millisecond. */
  editItems(): void {
    for (let left = this.#random.pickInteger(0, 3); left > 0; left -= 1) this.#editOneItem();
  }

  /** Serves a page of the listing. Each call advances the clock, so that later edits have a later date. */
  servePage(query: ListingQuery): ListingPage {
    this.requests += 1;
    const { take, skip, modifiedAfter } = query;
    const matching = [...this.items.values()]
      .filter((item) => item.date_modified > modifiedAfter)
      .sort(compareByDateAndId);
    if (this.#behavior === 'compliant' || this.#random.decideAtRandom(0.7)) this.#clock += 1;
    const items = matching.slice(skip, skip + take);
    return {
      totalCount: matching.length,
      items,
      request: formatRequestForMessages('http://shop.example/', buildListingParameters(query)),
    };
  }

  #editOneItem(): void {
    if (this.#random.decideAtRandom(0.3)) this.#clock += this.#random.pickInteger(1, 5);
    const edit = this.#random.pickInteger(1, this.#behavior === 'noncompliant' ? 12 : 9);
    const item = this.#random.pickValue([...this.items.values()]);
    if (edit <= 3 || item === undefined) this.#putItem(this.#createId(), this.#readClock());
    else if (edit <= 6) this.#putItem(item.id, this.#readClock());
    else if (edit <= 7) this.items.delete(String(item.id));
    else if (edit <= 8) this.#changeManyItems();
    else if (edit <= 9) this.#importItems();
    else if (edit <= 10) this.#putItem(item.id, item.date_modified);
    else this.#putItem(this.#random.decideAtRandom(0.5) ? item.id : this.#createId(), this.#pickPastDate());
  }

  /** Changes about 60 % of the items, all with the same date. */
  #changeManyItems(): void {
    const date = this.#readClock();
    for (const { id } of this.items.values()) if (this.#random.decideAtRandom(0.6)) this.#putItem(id, date);
  }

  /** Creates several items with the same date. */
  #importItems(): void {
    const date = this.#readClock();
    for (let left = this.#random.pickInteger(3, 10); left > 0; left -= 1) this.#putItem(this.#createId(), date);
  }

  #createId(): string | number {
    this.#created += 1;
    // Ids sort as text, so that new ids can also come before older ones. A deleted id can return.
    const number = this.#random.decideAtRandom(0.2) ? this.#random.pickInteger(1, this.#created) : this.#created;
    return this.#random.decideAtRandom(0.5) ? number : `${(number * 7) % 10}-${number}`;
  }

  #putItem(id: string | number, date_modified: string): void {
    const title = `Product ${id}, edition ${this.#random.pickInteger(1, 1_000_000)}`;
    this.items.set(String(id), { id, title, date_modified, price: this.#random.pickInteger(1, 100) });
  }

  #readClock(): string {
    return new Date(this.#clock).toISOString();
  }

  #pickPastDate(): string {
    return new Date(this.#random.pickInteger(BEGIN, this.#clock)).toISOString();
  }
}

function compareByDateAndId(a: ShopItem, b: ShopItem): number {
  if (a.date_modified !== b.date_modified) return a.date_modified < b.date_modified ? -1 : 1;
  return String(a.id) < String(b.id) ? -1 : 1;
}
