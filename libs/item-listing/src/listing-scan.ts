import { formatCount } from '@quarry/contracts';
import { type ListedItem, subtractMillisecond, toListedItem } from './listed-item.js';
import { PermanentListingError } from './listing-errors.js';
import type { ListingPage, ListingQuery } from './listing-client.js';
import {
  checkFilter,
  checkNotEmpty,
  checkOrder,
  type ClassifiedItems,
  getPosition,
  PositionTracker,
} from './page-checks.js';

export type ReadPage = (query: ListingQuery) => Promise<ListingPage>;

export interface ScanOptions {
  /** Number of items per request, at least 2. A single item shows neither an order nor an overlap with the previous page. */
  readonly take: number;
  /** Excludes items modified at or before this date; '' reads all items. */
  readonly modifiedAfter: string;
  /** The clock to use when the listing sends no `Date` header. */
  readonly now: () => Date;
}

export interface ScannedPage extends ClassifiedItems {
  readonly totalCount: number;
}

/** Factor of the expected number of items above which a listing counts as endless. A busy shop changes during the scan. */
const ENDLESS_FACTOR = 2;
const ENDLESS_MARGIN = 20_000;
/** Number of positions that a window may continue past the items it has shown. */
const REPEAT_MARGIN = 50;
/** Resolution of a listing's clock in milliseconds. */
const CLOCK_RESOLUTION_MS = 1_000;
/** Maximum number of backward steps. Each step doubles in length, so this number reaches the start of any window. */
const MAX_BACKWARD_STEPS = 20;

/**
 * Reads a listing that changes during the scan, page by page, without missing an item that is present all the time.
 *
 * Paging by `skip` alone misses items: when an item is modified, it moves to the end, all items behind it move up by one, and the
 * first item of the next page becomes the last item of the previous page. Each page therefore starts a new window:
 * `modified_after` is a millisecond before the last date read, and `skip` is 0. Items that move within the first page of a window
 * do no harm, and modified items appear again at the end.
 *
 * Only when more items than a page holds have the same date is `skip` necessary. Each page then starts with the last item of the
 * previous page. If that item has moved, the scan steps back until it finds an item of the window.
 */
export class ListingScan {
  readonly #read: ReadPage;
  readonly #take: number;
  readonly #now: () => Date;
  readonly #begin: string;
  readonly #positions = new PositionTracker();
  #modifiedAfter: string;
  #skip = 0;
  /** Positions of the items that the window has returned. */
  #shown = new Set<string>();
  /** True when the next page must start with an item that the window has already returned. */
  #overlaps = false;
  #backwardSteps = 0;
  #newItemCount = 0;
  #totalCount: number | undefined;
  /** The latest date that was read, and the latest one that was not in the future. */
  #latest = '';
  #latestPast = '';
  /** The clock of the listing before the first response, and at the last response. */
  #startedAt = '';
  #answeredAt = '';
  #ended = false;
  #pages = 0;
  /** The date at which items started to move faster than they could be read. */
  #unstableAfter: string | undefined;

  constructor(read: ReadPage, options: ScanOptions) {
    this.#read = read;
    this.#take = Math.max(2, options.take);
    this.#now = options.now;
    this.#begin = options.modifiedAfter;
    this.#modifiedAfter = options.modifiedAfter;
  }

  /**
   * Reads the next page.
   *
   * @returns the page, or undefined after the last page
   * @throws PermanentListingError, and the errors of `read`
   */
  async readNextPage(): Promise<ScannedPage | undefined> {
    if (this.#ended) return undefined;
    const { page, items } = await this.#readOverlappingPage();
    this.#pages += 1;
    this.#totalCount ??= page.totalCount;
    this.#checkItemLimit(items, page);
    this.#recordDates(items, page);
    const placed = this.#positions.addPage(items, this.#overlaps);
    this.#advancePast(items, page);
    return { ...placed, totalCount: page.totalCount };
  }

  /**
   * Returns the date from which a later scan can resume: all items modified at or before it have been read. The date is never in
   * the future of the listing, because an item with a wrong date would then hide all changes until that date.
   */
  get resumeAfter(): string {
    if (this.#unstableAfter !== undefined) return this.#unstableAfter;
    const past = this.#latestPast === '' ? this.#begin : subtractMillisecond(this.#latestPast);
    return this.#ended || past < this.#modifiedAfter ? past : this.#modifiedAfter;
  }

  /** Returns a time, by the clock of the listing, that is not after its first response; '' before the first response. */
  get startedAt(): string {
    return this.#startedAt;
  }

  /** Returns the clock of the listing at its last response; '' before the first response. */
  get answeredAt(): string {
    return this.#answeredAt;
  }

  /** Returns false when items kept moving during the scan, so that some can be missing. */
  get isStable(): boolean {
    return this.#unstableAfter === undefined;
  }

  /** Returns true when a single response contained the whole listing. */
  get isSnapshot(): boolean {
    return this.#begin === '' && this.#pages === 1;
  }

  /** Returns true after the last page. */
  get hasEnded(): boolean {
    return this.#ended;
  }

  /** Returns `total_count` of the first page. */
  get totalCount(): number | undefined {
    return this.#totalCount;
  }

  async #readOverlappingPage(): Promise<{ readonly page: ListingPage; readonly items: readonly ListedItem[] }> {
    for (;;) {
      const query = { take: this.#take, skip: this.#skip, modifiedAfter: this.#modifiedAfter };
      const page = await this.#read(query);
      const items = page.items.map(toListedItem);
      checkFilter(items, query.modifiedAfter, page.request);
      checkOrder(items, page.request);
      if (query.modifiedAfter === '' && query.skip === 0) checkNotEmpty(items, page.totalCount, page.request);
      if (this.#hasOverlap(items)) return { page, items };
      this.#stepBack();
    }
  }

  #hasOverlap([first]: readonly ListedItem[]): boolean {
    if (!this.#overlaps) return true;
    if (first !== undefined && this.#shown.has(getPosition(first))) return true;
    if (this.#backwardSteps < MAX_BACKWARD_STEPS) return false;
    this.#unstableAfter ??= this.#modifiedAfter;
    return true;
  }

  #stepBack(): void {
    this.#skip = Math.max(0, this.#skip - (this.#take - 1) * 2 ** this.#backwardSteps);
    this.#overlaps = this.#skip > 0;
    this.#backwardSteps += 1;
  }

  #recordDates(items: readonly ListedItem[], page: ListingPage): void {
    this.#answeredAt = page.answeredAt ?? this.#now().toISOString();
    if (this.#startedAt === '')
      this.#startedAt = new Date(Date.parse(this.#answeredAt) - CLOCK_RESOLUTION_MS).toISOString();
    for (const { modified = '' } of items) {
      if (modified > this.#latest) this.#latest = modified;
      if (modified > this.#latestPast && modified <= this.#answeredAt) this.#latestPast = modified;
    }
  }

  #checkItemLimit(items: readonly ListedItem[], page: ListingPage): void {
    const before = this.#latest;
    const isNew = (item: ListedItem): boolean =>
      !this.#shown.has(getPosition(item)) && (this.#skip > 0 || item.modified === undefined || item.modified > before);
    this.#newItemCount += items.filter(isNew).length;
    const maxItems = ENDLESS_FACTOR * (this.#totalCount ?? 0) + ENDLESS_MARGIN;
    if (this.#newItemCount > maxItems) {
      const found = `found ${this.#newItemCount} without reaching the end`;
      throw new PermanentListingError(
        'listing_endless',
        `expected ${formatCount(this.#totalCount ?? 0, 'item')} according to total_count, ${found} (${page.request})`,
      );
    }
  }

  #advancePast(items: readonly ListedItem[], page: ListingPage): void {
    const areAllKnown = items.every((item) => this.#shown.has(getPosition(item)));
    if (!areAllKnown) this.#backwardSteps = 0;
    for (const item of items) this.#shown.add(getPosition(item));
    if (!this.#hasNextPage(items, page, areAllKnown)) {
      this.#ended = true;
      return;
    }
    const last = items.at(-1)?.modified;
    const next = last === undefined ? '' : subtractMillisecond(last);
    if (next > this.#modifiedAfter) this.#openWindow(next);
    else this.#continueWindow(items.length, page);
  }

  /**
   * Returns whether more pages follow. A full page is never the last one, even if `total_count` says so: some listings count the
   * items of the page.
   */
  #hasNextPage(items: readonly ListedItem[], page: ListingPage, areAllKnown: boolean): boolean {
    if (items.length === 0) return false;
    if (items.length >= this.#take) return true;
    // Some listings always count all items. After the last item, they return only the overlapping item.
    const isOverlapAlone = this.#overlaps && items.length === 1 && areAllKnown;
    return this.#skip + items.length < page.totalCount && !isOverlapAlone;
  }

  #openWindow(modifiedAfter: string): void {
    this.#modifiedAfter = modifiedAfter;
    this.#skip = 0;
    this.#shown = new Set();
    this.#positions.openWindow(modifiedAfter);
    this.#overlaps = false;
  }

  #continueWindow(read: number, page: ListingPage): void {
    if (this.#skip > this.#shown.size + Math.max(2 * this.#take, REPEAT_MARGIN)) {
      throw new PermanentListingError(
        'listing_pages_repeat',
        `expected other items at skip=${this.#skip} than before, found ${formatCount(this.#shown.size, 'item')} repeatedly (${page.request})`,
      );
    }
    this.#overlaps = read > 1;
    this.#skip += Math.max(1, read - 1);
  }
}
