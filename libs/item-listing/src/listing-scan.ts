import { DateWindow, type WindowPosition } from './date-window.js';
import { ItemLimit } from './item-limit.js';
import { type ListedItem, subtractMillisecond, createListedItem } from './listed-item.js';
import type { ListingPage } from './listing-client.js';
import type { ListingQuery } from './listing-request.js';
import {
  requireDateFilter,
  requireCountedItems,
  requireDateOrder,
  type ClassifiedItems,
  PositionTracker,
} from './page-checks.js';

export type ReadPage = (query: ListingQuery) => Promise<ListingPage>;

/** Identifies the items of a listing that a scan reads. */
export interface ScanStart {
  /** Excludes items that were modified at or before this date. '': excludes no items. */
  readonly modifiedAfter: string;
  /**
   * Last item that an earlier scan has read among the items modified after `modifiedAfter`. Absent: the scan reads all
   * these items.
   */
  readonly position?: WindowPosition;
}

export interface ScanOptions extends ScanStart {
  /**
   * Number of items per request, at least 2. A page of one item cannot show the order or an overlap with the previous
   * page.
   */
  readonly take: number;
  /** Returns the current time. Used if the listing sends no `Date` header. */
  readonly now: () => Date;
}

export interface ScannedPage extends ClassifiedItems {
  readonly totalCount: number;
}

/** Resolution of the `Date` header, from which the clock of a listing is read, in milliseconds. */
const CLOCK_RESOLUTION_MS = 1_000;

/**
 * Reads a listing page by page. Misses no item that the listing contains during the whole scan, even if the listing
 * changes.
 *
 * Paging by `skip` alone misses items. A modified item moves to the end, and all items that followed it move up by one.
 * The first item of the next page thus becomes the last item of the page that was already read. Each page therefore
 * starts a new window: `modified_after` is a millisecond before the last date that was read, and `skip` is 0. No item
 * is missed if items move within the first page of a window, because modified items appear again at the end.
 *
 * `skip` is necessary only if more items than fit on a page have the same date (`DateWindow`).
 */
export class ListingScan {
  readonly #read: ReadPage;
  readonly #take: number;
  readonly #now: () => Date;
  readonly #start: ScanStart;
  readonly #positions = new PositionTracker();
  #window: DateWindow;
  readonly #limit: ItemLimit;
  #totalCount: number | undefined;
  /** The latest modification date among the items that were read. '': no date was read yet. */
  #latest = '';
  /**
   * The latest modification date among the items that were read, except dates in the future. '': no such date was read
   * yet.
   */
  #latestPast = '';
  #startedAt = '';
  #answeredAt = '';
  /**
   * The time of the first response with a future date. The window of that date misses edits between this time and that
   * date. Dates after this time therefore never become `#latestPast`, even when they have passed. Undefined: no date
   * was in the future.
   */
  #lastPastTime: string | undefined;
  #ended = false;
  #pages = 0;
  /** Modification date after which items moved too fast to be read. Undefined: all items could be read. */
  #unstableAfter: string | undefined;

  constructor(read: ReadPage, options: ScanOptions) {
    this.#read = read;
    this.#limit = new ItemLimit(read);
    this.#take = Math.max(2, options.take);
    this.#now = options.now;
    this.#start = options;
    this.#window = new DateWindow(options.modifiedAfter, this.#take, options.position);
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
    await this.#limit.countItems(this.#countNewItems(items), page);
    this.#recordModificationDates(items, page);
    const placed = this.#positions.classifyPage(items, this.#window.overlaps);
    this.#advanceAfterPage(items, page);
    return { ...placed, totalCount: page.totalCount };
  }

  /**
   * Returns the date from which a later scan can resume: the scan has read all items that were modified at or before
   * that date. The date is never in the future: a wrong date in the future would exclude all changes until then from
   * later scans.
   */
  get resumeAfter(): string {
    const past = this.#latestPast === '' ? this.#start.modifiedAfter : subtractMillisecond(this.#latestPast);
    const read = this.#unstableAfter ?? (this.#ended ? past : this.#window.modifiedAfter);
    return past < read ? past : read;
  }

  /**
   * Returns the start of a scan that resumes this scan. Unlike `resumeAfter`, it excludes items of the current window
   * that were already read. Use it only to continue an interrupted sync, because a scan from this start misses items
   * that are inserted before its position.
   */
  get resumeFrom(): ScanStart {
    const modifiedAfter = this.resumeAfter;
    const { position } = this.#window;
    const isInWindow = this.isStable && modifiedAfter === this.#window.modifiedAfter;
    return { modifiedAfter, ...(isInWindow && position && { position }) };
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
    return this.#start.modifiedAfter === '' && this.#start.position === undefined && this.#pages === 1;
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
      const { query } = this.#window;
      const page = await this.#read(query);
      const items = page.items.map(createListedItem);
      requireDateFilter(items, query.modifiedAfter, page.request);
      requireDateOrder(items, page.request);
      if (query.modifiedAfter === '' && query.skip === 0) requireCountedItems(items, page.totalCount, page.request);
      if (this.#window.hasOverlap(items)) return { page, items };
      if (this.#window.stepBack()) continue;
      this.#unstableAfter ??= query.modifiedAfter;
      return { page, items };
    }
  }

  #recordModificationDates(items: readonly ListedItem[], page: ListingPage): void {
    this.#answeredAt = page.answeredAt ?? this.#now().toISOString();
    if (this.#startedAt === '')
      this.#startedAt = new Date(Date.parse(this.#answeredAt) - CLOCK_RESOLUTION_MS).toISOString();
    for (const { modified = '' } of items) {
      if (modified > this.#latest) this.#latest = modified;
      if (modified > this.#answeredAt) this.#lastPastTime ??= this.#answeredAt;
      else if (modified > this.#latestPast && modified <= (this.#lastPastTime ?? modified)) this.#latestPast = modified;
    }
  }

  #countNewItems(items: readonly ListedItem[]): number {
    const before = this.#latest;
    const isNew = (item: ListedItem): boolean =>
      !this.#window.hasShown(item) && (!this.#window.isEmpty || item.modified === undefined || item.modified > before);
    return items.filter(isNew).length;
  }

  #advanceAfterPage(items: readonly ListedItem[], page: ListingPage): void {
    if (!this.#window.addPage(items, page.totalCount)) {
      this.#ended = true;
      return;
    }
    const last = items.at(-1)?.modified;
    const next = last === undefined ? '' : subtractMillisecond(last);
    if (next > this.#window.modifiedAfter) this.#startDateWindow(next);
    else this.#window.continueAfter(items.length, page);
  }

  #startDateWindow(modifiedAfter: string): void {
    this.#window = new DateWindow(modifiedAfter, this.#take);
    this.#positions.startDateWindow(modifiedAfter);
  }
}
