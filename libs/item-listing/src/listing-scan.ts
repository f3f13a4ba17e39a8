import { formatCount } from '@quarry/contracts';
import { type ListedItem, subtractMillisecond, createListedItem } from './listed-item.js';
import { PermanentListingError } from './listing-errors.js';
import type { ListingPage, ListingQuery } from './listing-client.js';
import {
  requireDateFilter,
  requireCountedItems,
  requireDateOrder,
  type ClassifiedItems,
  buildPositionKey,
  PositionTracker,
} from './page-checks.js';

export type ReadPage = (query: ListingQuery) => Promise<ListingPage>;

export interface ScanOptions {
  /**
   * Number of items per request, at least 2. A page of one item cannot show the order or an overlap with the previous
   * page.
   */
  readonly take: number;
  /** Excludes items that were modified at or before this date. '': reads all items. */
  readonly modifiedAfter: string;
  /** Returns the current time. Used if the listing sends no `Date` header. */
  readonly now: () => Date;
}

export interface ScannedPage extends ClassifiedItems {
  readonly totalCount: number;
}

/**
 * A listing is endless if it returns more items than this multiple of `total_count`, plus `ENDLESS_MARGIN`. The limit
 * exceeds `total_count`, because customers can add items during a scan.
 */
const ENDLESS_FACTOR = 2;
const ENDLESS_MARGIN = 20_000;
/**
 * A listing repeats pages if `skip` exceeds the number of distinct items of a window by more than the greater of this
 * number and 2 · `take`.
 */
const REPEAT_MARGIN = 50;
/** Resolution of the `Date` header, from which the clock of a listing is read, in milliseconds. */
const CLOCK_RESOLUTION_MS = 1_000;
/** Maximum number of times that the scan lowers `skip`. The steps double, so 20 steps always reach the first item. */
const MAX_BACKWARD_STEPS = 20;

/**
 * Reads a listing page by page. Misses no item that the listing contains during the whole scan, even if the listing
 * changes.
 *
 * Paging by `skip` alone misses items. A modified item moves to the end, and all items that followed it move up by one.
 * The first item of the next page thus becomes the last item of the page that was already read. Each page therefore
 * starts a new window: `modified_after` is a millisecond before the last date that was read, and `skip` is 0. No item
 * is missed if items move within the first page of a window, because modified items appear again at the end.
 *
 * `skip` is necessary only if more items than fit on a page have the same date. Each page then starts with the last
 * item of the previous page. If that item has moved, the scan lowers `skip` until a page starts with an item that the
 * window has already returned.
 */
export class ListingScan {
  readonly #read: ReadPage;
  readonly #take: number;
  readonly #now: () => Date;
  readonly #begin: string;
  readonly #positions = new PositionTracker();
  #modifiedAfter: string;
  #skip = 0;
  /** Contains the positions (`buildPositionKey`) of the items that the current window has returned. */
  #shown = new Set<string>();
  /** True if the next page must start with an item that the current window has already returned. */
  #overlaps = false;
  #backwardSteps = 0;
  #newItemCount = 0;
  #totalCount: number | undefined;
  /** The latest modification date among the items that were read. */
  #latest = '';
  /** The latest modification date among the items that were read, except dates in the future. */
  #latestPast = '';
  #startedAt = '';
  #answeredAt = '';
  #ended = false;
  #pages = 0;
  /** Modification date after which items moved too fast to be read. Undefined: all items could be read. */
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
   * @throws PermanentListingError if the listing violates the contract; or an error of `read`
   */
  async readNextPage(): Promise<ScannedPage | undefined> {
    if (this.#ended) return undefined;
    const { page, items } = await this.#readOverlappingPage();
    this.#pages += 1;
    this.#totalCount ??= page.totalCount;
    this.#checkItemLimit(items, page);
    this.#recordModificationDates(items, page);
    const placed = this.#positions.classifyPage(items, this.#overlaps);
    this.#advanceAfterPage(items, page);
    return { ...placed, totalCount: page.totalCount };
  }

  /**
   * Returns the date from which a later scan can resume: the scan has read all items that were modified at or before
   * that date. The date is never in the future: a wrong date in the future would exclude all changes until then from
   * later scans.
   */
  get resumeAfter(): string {
    if (this.#unstableAfter !== undefined) return this.#unstableAfter;
    const past = this.#latestPast === '' ? this.#begin : subtractMillisecond(this.#latestPast);
    return this.#ended || past < this.#modifiedAfter ? past : this.#modifiedAfter;
  }

  /**
   * Returns the time of the first response by the listing's clock, minus `CLOCK_RESOLUTION_MS`. '': there was no
   * response yet.
   */
  get startedAt(): string {
    return this.#startedAt;
  }

  /** Returns the time of the last response, by the clock of the listing. '': there was no response yet. */
  get answeredAt(): string {
    return this.#answeredAt;
  }

  /** Returns false if items moved faster than they could be read, so that some can be missing. */
  get isStable(): boolean {
    return this.#unstableAfter === undefined;
  }

  /** Returns true if one page contained all items of the listing. The result is valid only after the last page. */
  get isSnapshot(): boolean {
    return this.#begin === '' && this.#pages === 1;
  }

  /** Returns true after the last page. */
  get hasEnded(): boolean {
    return this.#ended;
  }

  /** Returns `total_count` of the first page. Undefined: no page was read yet. */
  get totalCount(): number | undefined {
    return this.#totalCount;
  }

  async #readOverlappingPage(): Promise<{ readonly page: ListingPage; readonly items: readonly ListedItem[] }> {
    for (;;) {
      const query = { take: this.#take, skip: this.#skip, modifiedAfter: this.#modifiedAfter };
      const page = await this.#read(query);
      const items = page.items.map(createListedItem);
      requireDateFilter(items, query.modifiedAfter, page.request);
      requireDateOrder(items, page.request);
      if (query.modifiedAfter === '' && query.skip === 0) requireCountedItems(items, page.totalCount, page.request);
      if (this.#hasOverlap(items)) return { page, items };
      this.#repeatEarlierPage();
    }
  }

  #hasOverlap([first]: readonly ListedItem[]): boolean {
    if (!this.#overlaps) return true;
    if (first !== undefined && this.#shown.has(buildPositionKey(first))) return true;
    if (this.#backwardSteps < MAX_BACKWARD_STEPS) return false;
    this.#unstableAfter ??= this.#modifiedAfter;
    return true;
  }

  #repeatEarlierPage(): void {
    this.#skip = Math.max(0, this.#skip - (this.#take - 1) * 2 ** this.#backwardSteps);
    this.#overlaps = this.#skip > 0;
    this.#backwardSteps += 1;
  }

  #recordModificationDates(items: readonly ListedItem[], page: ListingPage): void {
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
      !this.#shown.has(buildPositionKey(item)) &&
      (this.#shown.size > 0 || item.modified === undefined || item.modified > before);
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

  #advanceAfterPage(items: readonly ListedItem[], page: ListingPage): void {
    const areAllKnown = items.every((item) => this.#shown.has(buildPositionKey(item)));
    if (!areAllKnown) this.#backwardSteps = 0;
    for (const item of items) this.#shown.add(buildPositionKey(item));
    if (!this.#hasNextPage(items, page, areAllKnown)) {
      this.#ended = true;
      return;
    }
    const last = items.at(-1)?.modified;
    const next = last === undefined ? '' : subtractMillisecond(last);
    if (next > this.#modifiedAfter) this.#startDateWindow(next);
    else this.#continueDateWindow(items.length, page);
  }

  /**
   * Returns true if another page follows. After a full page, another page follows even if `total_count` is reached: in
   * some listings, `total_count` is the number of items of the page.
   */
  #hasNextPage(items: readonly ListedItem[], page: ListingPage, areAllKnown: boolean): boolean {
    if (items.length === 0) return false;
    if (items.length >= this.#take) return true;
    // In some listings, `total_count` ignores `modified_after`. After the last item, such a listing returns a page that
    // contains only the overlapping item.
    const isOverlapAlone = this.#overlaps && items.length === 1 && areAllKnown;
    return this.#skip + items.length < page.totalCount && !isOverlapAlone;
  }

  #startDateWindow(modifiedAfter: string): void {
    this.#modifiedAfter = modifiedAfter;
    this.#skip = 0;
    this.#shown = new Set();
    this.#positions.startDateWindow(modifiedAfter);
    this.#overlaps = false;
  }

  #continueDateWindow(read: number, page: ListingPage): void {
    if (this.#skip > this.#shown.size + Math.max(2 * this.#take, REPEAT_MARGIN)) {
      throw new PermanentListingError(
        'listing_pages_repeat',
        `expected new items at skip=${this.#skip}, found ${formatCount(this.#shown.size, 'item')} repeatedly (${page.request})`,
      );
    }
    this.#overlaps = read > 1;
    this.#skip += Math.max(1, read - 1);
  }
}
