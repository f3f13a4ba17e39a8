import { formatCount, createRunNote, type RunNote } from '@quarry/contracts';
import { PermanentListingError } from './listing-errors.js';
import type { ListedItem } from './listed-item.js';
import type { KeySet } from './hashed-key-set.js';

/**
 * Checks that the items are in ascending order of dates, as requested. Ids are not compared, because databases sort text
 * differently. Items without a valid date can be anywhere.
 *
 * @throws PermanentListingError `listing_wrong_order`
 */
export function checkOrder(items: readonly ListedItem[], request: string): void {
  const dated = items.filter((item) => item.modified !== undefined);
  const misplaced = dated.findIndex(
    (item, index) => index > 0 && String(item.modified) < String(dated[index - 1]?.modified),
  );
  if (misplaced === -1) return;
  throw new PermanentListingError(
    'listing_wrong_order',
    `expected items in the order of date_modified, found ${describeItem(dated[misplaced - 1])} before ${describeItem(dated[misplaced])} (${request})`,
  );
}

/**
 * Checks that the first response contains items if its `total_count` is positive. Later responses can be empty, because some
 * listings always count all items.
 *
 * @throws PermanentListingError `listing_shows_nothing`
 */
export function checkNotEmpty(items: readonly ListedItem[], totalCount: number, request: string): void {
  if (items.length > 0 || totalCount === 0) return;
  throw new PermanentListingError(
    'listing_shows_nothing',
    `expected the first of ${formatCount(totalCount, 'item')} according to total_count, found none (${request})`,
  );
}

/**
 * Checks that the items match the requested filter. Items at exactly the given date are accepted, because databases store finer
 * times than they return, and reading an item twice does no harm.
 *
 * @throws PermanentListingError `listing_filter_ignored`
 */
export function checkFilter(items: readonly ListedItem[], modifiedAfter: string, request: string): void {
  const older = items.find((item) => item.modified !== undefined && item.modified < modifiedAfter);
  if (older === undefined) return;
  throw new PermanentListingError(
    'listing_filter_ignored',
    `expected only items modified after ${modifiedAfter}, found ${describeItem(older)} (${request})`,
  );
}

function describeItem(item: ListedItem | undefined): string {
  return `item ${item?.id ?? 'without an id'} of ${item?.modified ?? 'no date'}`;
}

/** Describes the items of a page, separated into new items, repeated items and duplicates. */
export interface ClassifiedItems {
  /** One item per id and date, in the order of the listing. */
  readonly items: readonly ListedItem[];
  /** The items of `items` whose id and date no earlier page contained. */
  readonly fresh: readonly ListedItem[];
  /** Items that share id and date with one of `items`. Each is returned once per scan. */
  readonly duplicates: readonly ListedItem[];
}

interface NumberedPosition {
  readonly position: string;
  /** 1 for the first item with this id and date, 2 for the second, and so on. */
  readonly nth: number;
}

/** Identifies the position of an item in the order. A modified item moves to a later position. */
export function getPosition({ modified, documentKey }: ListedItem): string {
  return `${modified ?? ''} ${documentKey}`;
}

/**
 * Recognizes items that overlapping pages repeat, and items that share an id and a date. Stores only positions that the next
 * page can contain again.
 */
export class PositionTracker {
  readonly #shown = new Map<string, number>();
  #last: NumberedPosition | undefined;

  /** Adds a page. @param overlaps true when the page starts with the last item of the previous page */
  addPage(page: readonly ListedItem[], overlaps: boolean): ClassifiedItems {
    const numbers = new Map<string, number>();
    const [first] = page;
    if (overlaps && first !== undefined && this.#last?.position === getPosition(first)) {
      numbers.set(this.#last.position, this.#last.nth - 1);
    }
    const placed = { items: [] as ListedItem[], fresh: [] as ListedItem[], duplicates: [] as ListedItem[] };
    for (const item of page) {
      const position = getPosition(item);
      const nth = (numbers.get(position) ?? 0) + 1;
      const isNew = nth > (this.#shown.get(position) ?? 0);
      numbers.set(position, nth);
      if (isNew) this.#shown.set(position, nth);
      if (nth === 1) placed.items.push(item);
      if (isNew) (nth === 1 ? placed.fresh : placed.duplicates).push(item);
      this.#last = { position, nth };
    }
    return placed;
  }

  /** Removes the positions that no page after `modifiedAfter` contains. Items without a date can be on any page. */
  openWindow(modifiedAfter: string): void {
    for (const position of this.#shown.keys()) {
      if (!position.startsWith(' ') && position < modifiedAfter) this.#shown.delete(position);
    }
  }
}

const MAX_NAMED_IDS = 10;

/** Counts the items of one reading of a listing, and finds ids that several items share. */
export class ItemCount {
  readonly #keys: KeySet;
  readonly #sharedIds: Set<string>;
  #sharing: number;

  /**
   * @param keys an empty set, to which the document keys are added
   * @param before the counts of another process in the same reading
   */
  constructor(keys: KeySet, before?: { readonly sharing: number; readonly sharedIds: readonly string[] }) {
    this.#keys = keys;
    this.#sharing = before?.sharing ?? 0;
    this.#sharedIds = new Set(before?.sharedIds);
  }

  /**
   * Adds the items of a page. An item that is modified during the reading moves to a later date and appears twice. A second date
   * of an id therefore counts as a second item only if it is older than the reading.
   *
   * @param startedAt a time before the reading started, by the clock of the listing
   */
  addPage({ fresh, duplicates }: Pick<ClassifiedItems, 'fresh' | 'duplicates'>, startedAt: string): void {
    for (const item of fresh) {
      if (!this.#keys.has(item.documentKey)) this.#keys.add(item.documentKey);
      else if (item.modified !== undefined && item.modified < startedAt) this.#addSharedId(item.id);
    }
    for (const item of duplicates) this.#addSharedId(item.id);
  }

  /** Returns the number of different document keys that this process has read. */
  get size(): number {
    return this.#keys.size;
  }

  /** Returns the number of items that share their id with an earlier item. */
  get sharing(): number {
    return this.#sharing;
  }

  /** Returns some of the ids that several items share. */
  get sharedIds(): readonly string[] {
    return [...this.#sharedIds];
  }

  /** Describes the shared ids for users. Returns undefined when all ids are unique. */
  describeSharedIds(): RunNote | undefined {
    if (this.#sharedIds.size === 0) return undefined;
    const isShortened = this.#sharedIds.size === MAX_NAMED_IDS;
    const ids = this.sharedIds.join(', ');
    const message = `One item is indexed for each id, but several items share these: ${ids}${isShortened ? ' and possibly others' : ''}.`;
    return createRunNote('ids_shared', { ids, more: isShortened ? 1 : 0 }, message);
  }

  #addSharedId(id: string | undefined): void {
    this.#sharing += 1;
    if (id !== undefined && this.#sharedIds.size < MAX_NAMED_IDS) this.#sharedIds.add(id);
  }
}
