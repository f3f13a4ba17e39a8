import { justBefore } from '../listing/item-date.js';
import { listedItem, type ListedItem } from '../listing/listed-item.js';
import { ListingBroken } from '../listing/listing-failure.js';
import type { ListingPage } from '../listing/listing-page.js';
import type { ListingQuery } from '../listing/listing-query.js';
import { checkFilter, checkOrder, checkShown } from './page-checks.js';
import { placeOf, Places, type PlacedItems } from './places.js';

export type ReadPage = (query: ListingQuery) => Promise<ListingPage>;

export interface ScanOptions {
  /** Items asked for at once, at least 2: one alone shows neither an order nor where the last page ended. */
  readonly take: number;
  /** Items modified at this date or before are left out; '' reads all. */
  readonly modifiedAfter: string;
  /** Stands for the clock of a listing that does not send its own. */
  readonly now: () => Date;
}

export interface ScannedPage extends PlacedItems {
  readonly totalCount: number;
}

/** A busy shop changes while it is read: only far more items than there can be are no end. */
const ENDLESS_FACTOR = 2;
const ENDLESS_MARGIN = 20_000;
/** How far a window may go on past the items it has shown. */
const REPEAT_MARGIN = 50;
/** A listing's clock counts in seconds. */
const CLOCK_STEP_MS = 1_000;
/** Each step back is twice as long: this many reach the begin of any window. */
const STEPS_BACK = 20;

/**
 * Reads a listing that changes while it is read, page by page, without missing an item that is there all the time.
 *
 * `skip` alone misses: an item that is modified moves to the end, all behind it move up, and the first of the next page has
 * become the last of the page before. So each page begins a new window: `modified_after` just before the last date seen, `skip`
 * 0. What moves up inside a window's first page is of no matter, and modified items come again at the end. Only where more
 * items than a page have the same date is `skip` needed: there each page begins with the last item of the one before, and when
 * that has moved, the scan goes back until it meets an item it knows.
 */
export class ListingScan {
  readonly #read: ReadPage;
  readonly #take: number;
  readonly #now: () => Date;
  readonly #begin: string;
  readonly #places = new Places();
  #modifiedAfter: string;
  #skip = 0;
  /** Places that the window has shown. */
  #shown = new Set<string>();
  /** Whether the next page has to begin with an item that the window has shown. */
  #overlaps = false;
  #stepsBack = 0;
  #newItems = 0;
  #announced: number | undefined;
  /** The latest date that was seen, and the latest one that was not in the future. */
  #latest = '';
  #latestPast = '';
  /** The listing's clock before the first response, and at the last one. */
  #begunAt = '';
  #answeredAt = '';
  #ended = false;
  #pages = 0;
  /** Where items began to move faster than they could be read. */
  #unsteadyAfter: string | undefined;

  constructor(read: ReadPage, options: ScanOptions) {
    this.#read = read;
    this.#take = Math.max(2, options.take);
    this.#now = options.now;
    this.#begin = options.modifiedAfter;
    this.#modifiedAfter = options.modifiedAfter;
  }

  /** @returns the next page; undefined when the listing has ended @throws ListingBroken and what reading a page throws */
  async next(): Promise<ScannedPage | undefined> {
    if (this.#ended) return undefined;
    const { page, items } = await this.#readInStep();
    this.#pages += 1;
    this.#announced ??= page.totalCount;
    this.#checkEnd(items, page);
    this.#noteDates(items, page);
    const placed = this.#places.add(items, this.#overlaps);
    this.#advance(items, page);
    return { ...placed, totalCount: page.totalCount };
  }

  /**
   * What a later scan may leave out: the items modified then or before have all been shown. Never in the future of the listing,
   * where an item with a wrong date would hide all changes until then.
   */
  get goesOnAfter(): string {
    if (this.#unsteadyAfter !== undefined) return this.#unsteadyAfter;
    const past = this.#latestPast === '' ? this.#begin : justBefore(this.#latestPast);
    return this.#ended || past < this.#modifiedAfter ? past : this.#modifiedAfter;
  }

  /** A time by the listing's clock that is not after its first answer; '' before. */
  get begunAt(): string {
    return this.#begunAt;
  }

  /** The listing's clock when it answered the last request; '' before. */
  get answeredAt(): string {
    return this.#answeredAt;
  }

  /** False when items kept moving while they were read, so that some may be missing. */
  get steady(): boolean {
    return this.#unsteadyAfter === undefined;
  }

  /** True when a single response has shown the whole listing. */
  get isSnapshot(): boolean {
    return this.#begin === '' && this.#pages === 1;
  }

  /** As the first page said. */
  get totalCount(): number | undefined {
    return this.#announced;
  }

  async #readInStep(): Promise<{ readonly page: ListingPage; readonly items: readonly ListedItem[] }> {
    for (;;) {
      const query = { take: this.#take, skip: this.#skip, modifiedAfter: this.#modifiedAfter };
      const page = await this.#read(query);
      const items = page.items.map(listedItem);
      checkFilter(items, query.modifiedAfter, page.request);
      checkOrder(items, page.request);
      if (query.modifiedAfter === '' && query.skip === 0) checkShown(items, page.totalCount, page.request);
      if (this.#isInStep(items)) return { page, items };
      this.#stepBack();
    }
  }

  #isInStep([first]: readonly ListedItem[]): boolean {
    if (!this.#overlaps) return true;
    if (first !== undefined && this.#shown.has(placeOf(first))) return true;
    if (this.#stepsBack < STEPS_BACK) return false;
    this.#unsteadyAfter ??= this.#modifiedAfter;
    return true;
  }

  #stepBack(): void {
    this.#skip = Math.max(0, this.#skip - (this.#take - 1) * 2 ** this.#stepsBack);
    this.#overlaps = this.#skip > 0;
    this.#stepsBack += 1;
  }

  #noteDates(items: readonly ListedItem[], page: ListingPage): void {
    this.#answeredAt = page.answeredAt ?? this.#now().toISOString();
    if (this.#begunAt === '') this.#begunAt = new Date(Date.parse(this.#answeredAt) - CLOCK_STEP_MS).toISOString();
    for (const { modified = '' } of items) {
      if (modified > this.#latest) this.#latest = modified;
      if (modified > this.#latestPast && modified <= this.#answeredAt) this.#latestPast = modified;
    }
  }

  #checkEnd(items: readonly ListedItem[], page: ListingPage): void {
    const before = this.#latest;
    const isNew = (item: ListedItem): boolean =>
      !this.#shown.has(placeOf(item)) && (this.#skip > 0 || item.modified === undefined || item.modified > before);
    this.#newItems += items.filter(isNew).length;
    const most = ENDLESS_FACTOR * (this.#announced ?? 0) + ENDLESS_MARGIN;
    if (this.#newItems > most) {
      const found = `found ${this.#newItems} and no end`;
      throw new ListingBroken(
        'listing_endless',
        `expected ${this.#announced ?? 0} items as total_count said, ${found} (${page.request})`,
      );
    }
  }

  #advance(items: readonly ListedItem[], page: ListingPage): void {
    const knownAlready = items.every((item) => this.#shown.has(placeOf(item)));
    if (!knownAlready) this.#stepsBack = 0;
    for (const item of items) this.#shown.add(placeOf(item));
    if (!this.#goesOn(items, page, knownAlready)) {
      this.#ended = true;
      return;
    }
    const last = items.at(-1)?.modified;
    const next = last === undefined ? '' : justBefore(last);
    if (next > this.#modifiedAfter) this.#openWindow(next);
    else this.#goOnInWindow(items.length, page);
  }

  /** A full page is never the last one, whatever `total_count` says: some listings count the page. */
  #goesOn(items: readonly ListedItem[], page: ListingPage, knownAlready: boolean): boolean {
    if (items.length === 0) return false;
    if (items.length >= this.#take) return true;
    // Some count all items, whatever they were asked for: then only the item of the overlap comes after the last.
    const isOverlapAlone = this.#overlaps && items.length === 1 && knownAlready;
    return this.#skip + items.length < page.totalCount && !isOverlapAlone;
  }

  #openWindow(modifiedAfter: string): void {
    this.#modifiedAfter = modifiedAfter;
    this.#skip = 0;
    this.#shown = new Set();
    this.#places.openWindow(modifiedAfter);
    this.#overlaps = false;
  }

  #goOnInWindow(read: number, page: ListingPage): void {
    if (this.#skip > this.#shown.size + Math.max(2 * this.#take, REPEAT_MARGIN)) {
      throw new ListingBroken(
        'listing_pages_repeat',
        `expected other items at skip=${this.#skip} than before, found ${this.#shown.size} items again and again (${page.request})`,
      );
    }
    this.#overlaps = read > 1;
    this.#skip += Math.max(1, read - 1);
  }
}
