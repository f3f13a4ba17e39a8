import { formatCount } from '@quarry/contracts';
import type { ListedItem } from './listed-item.js';
import type { ListingPage } from './listing-client.js';
import type { ListingQuery } from './listing-request.js';
import { PermanentListingError } from './listing-errors.js';
import { buildPositionKey } from './page-checks.js';

/**
 * A listing repeats pages if `skip` exceeds the number of distinct items of a window by more than the greater of this
 * number and 2 · `take`.
 */
const REPEAT_MARGIN = 50;
/**
 * Maximum number of times that a window lowers `skip`. Each step is twice as long as the previous one, so 20 steps
 * always reach the first item.
 */
const MAX_BACKWARD_STEPS = 20;

/** Identifies an item of a window. A scan that read all items up to this item can be resumed there. */
export interface WindowPosition {
  /** Number of items that preceded the item in the window. */
  readonly skip: number;
  /** Position of the item in the order of the listing (`buildPositionKey`). */
  readonly item: string;
}

/**
 * Pages by `skip` through the items of a listing that were modified after one date. Each page starts with the last item
 * of the previous page. If that item has moved, the window lowers `skip` until a page starts with an item that the
 * window has already read.
 */
export class DateWindow {
  /** Excludes items that were modified at or before this date. '': excludes no items. */
  readonly modifiedAfter: string;
  readonly #take: number;
  #skip: number;
  /** Contains the positions (`buildPositionKey`) of the items that the window has read. */
  readonly #shown = new Set<string>();
  /** True if the next page must contain an item that the window has already read. */
  #overlaps: boolean;
  /** Number of items at the start of the window that only an earlier scan has read. */
  #skippedCount: number;
  /** True if the window was resumed at a position, and no page of the window was recorded since. */
  #isResuming: boolean;
  #position: WindowPosition | undefined;
  #backwardSteps = 0;

  /** @param position the position at which an earlier scan ended. Undefined: the window starts with its first item */
  constructor(modifiedAfter: string, take: number, position?: WindowPosition) {
    this.modifiedAfter = modifiedAfter;
    this.#take = take;
    this.#skip = position?.skip ?? 0;
    this.#skippedCount = this.#skip;
    this.#position = position;
    this.#isResuming = position !== undefined;
    this.#overlaps = this.#isResuming;
    if (position !== undefined) this.#shown.add(position.item);
  }

  /** Returns the query for the next page. */
  get query(): ListingQuery {
    return { take: this.#take, skip: this.#skip, modifiedAfter: this.modifiedAfter };
  }

  /** Returns true if the next page must contain an item that the window has already read. */
  get overlaps(): boolean {
    return this.#overlaps;
  }

  /** Returns true if the window has read no item yet. */
  get isEmpty(): boolean {
    return this.#shown.size === 0;
  }

  /** Returns the position at which a later scan can resume. Undefined: that scan must start with the first item. */
  get position(): WindowPosition | undefined {
    return this.#position;
  }

  /**
   * Returns true if an earlier page of the window contained this item with the same modification date. Also returns
   * true for the item at which the window was resumed.
   */
  hasShown(item: ListedItem): boolean {
    return this.#shown.has(buildPositionKey(item));
  }

  /**
   * Returns true if no item can be missing between the previous page and this page. If `overlaps` is true, the page
   * must start with an item that the window has already read; otherwise items have moved. The first page of a
   * resumed window can contain this item at any place, because the earlier scan has read all items before this item.
   */
  hasOverlap(items: readonly ListedItem[]): boolean {
    const candidates = this.#isResuming ? items : items.slice(0, 1);
    return !this.#overlaps || candidates.some((item) => this.hasShown(item));
  }

  /** Lowers `skip`. @returns false after the maximum number of steps without a page of new items */
  stepBack(): boolean {
    if (this.#backwardSteps === MAX_BACKWARD_STEPS) return false;
    this.#skip = Math.max(0, this.#skip - (this.#take - 1) * 2 ** this.#backwardSteps);
    this.#skippedCount = Math.min(this.#skippedCount, this.#skip);
    this.#overlaps = this.#skip > 0;
    this.#backwardSteps += 1;
    return true;
  }

  /** Records the items of the page that `query` requested. @returns true if another page follows */
  addPage(items: readonly ListedItem[], totalCount: number): boolean {
    const wereAllShown = items.every((item) => this.hasShown(item));
    if (!wereAllShown) this.#backwardSteps = 0;
    for (const item of items) this.#shown.add(buildPositionKey(item));
    this.#isResuming = false;
    this.#recordPosition(items);
    return this.#hasNextPage(items.length, totalCount, wereAllShown);
  }

  /**
   * Advances `skip` after a page with `read` items.
   *
   * @throws PermanentListingError `listing_pages_repeat` if `skip` far exceeds the number of items that were read
   */
  continueAfter(read: number, { request }: Pick<ListingPage, 'request'>): void {
    const shown = this.#shown.size;
    if (this.#skip - this.#skippedCount > shown + Math.max(2 * this.#take, REPEAT_MARGIN)) {
      throw new PermanentListingError(
        'listing_pages_repeat',
        `expected new items at skip=${this.#skip}, found ${formatCount(shown, 'item')} repeatedly (${request})`,
      );
    }
    this.#overlaps = read > 1;
    this.#skip += Math.max(1, read - 1);
  }

  /**
   * Records the last item of a page as the position, if a later scan can find this item again. A page of one item does
   * not overlap with the next page. An item without a valid date can move, although its position key stays the same. In
   * both cases, the previous position remains.
   */
  #recordPosition(items: readonly ListedItem[]): void {
    const last = items.at(-1);
    if (items.length < 2 || last?.modified === undefined) return;
    this.#position = { skip: this.#skip + items.length - 1, item: buildPositionKey(last) };
  }

  /**
   * Returns true if another page follows. After a full page, another page follows even if `total_count` is reached: in
   * some listings, `total_count` is the number of items of the page.
   */
  #hasNextPage(read: number, totalCount: number, wereAllShown: boolean): boolean {
    if (read === 0) return false;
    if (read >= this.#take) return true;
    // In some listings, `total_count` ignores `modified_after`. After the last item, such a listing returns a page that
    // contains only the overlapping item.
    const isOverlapAlone = this.#overlaps && read === 1 && wereAllShown;
    return this.#skip + read < totalCount && !isOverlapAlone;
  }
}
