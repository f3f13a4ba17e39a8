import { createRunNote, type RunNote } from '@quarry/contracts';
import { PermanentListingError } from './listing-errors.js';
import type { ListedItem } from './listed-item.js';
import type { KeySet } from './hashed-key-set.js';

/**
 * Checks that the items are in ascending order of their dates, as the request demands. Does not check the order of ids,
 * because databases differ in how they sort text. Items without a valid date can have any position.
 *
 * @throws PermanentListingError `listing_wrong_order`
 */
export function requireDateOrder(items: readonly ListedItem[], request: string): void {
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
 * Checks that the first page contains items if `total_count` is positive. Later pages can be empty, because in some
 * listings `total_count` is always the number of all items.
 *
 * @throws PermanentListingError `listing_shows_nothing`
 */
export function requireCountedItems(items: readonly ListedItem[], totalCount: number, request: string): void {
  if (items.length > 0 || totalCount === 0) return;
  throw new PermanentListingError(
    'listing_shows_nothing',
    `expected items on the first page, because total_count is ${totalCount}, found none (${request})`,
  );
}

/**
 * Checks that no item was modified before `modifiedAfter`. Accepts items of exactly that date, because a database can
 * store times more exactly than it returns them. Reading an item twice does no harm.
 *
 * @throws PermanentListingError `listing_filter_ignored`
 */
export function requireDateFilter(items: readonly ListedItem[], modifiedAfter: string, request: string): void {
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

/** Holds the items of a page, and states which items no earlier page contained, and which items share id and date. */
export interface ClassifiedItems {
  /** The first item of the page for each id and date, in the order of the listing. */
  readonly items: readonly ListedItem[];
  /** Those of `items` whose id and date occurred on no earlier page. */
  readonly fresh: readonly ListedItem[];
  /**
   * Further items with the id and date of one of `items`. Lists each duplicate once, even if a later page contains it
   * again.
   */
  readonly duplicates: readonly ListedItem[];
}

interface NumberedPosition {
  readonly position: string;
  /** 1 for the first item with this id and date, 2 for the second, and so on. */
  readonly nth: number;
}

/**
 * Returns the position of an item in the order of the listing: date and document key. A modification moves an item to a
 * later position.
 */
export function buildPositionKey({ modified, documentKey }: ListedItem): string {
  return `${modified ?? ''} ${documentKey}`;
}

/**
 * Distinguishes an item that two overlapping pages contain from two items with the same id and date. Stores only
 * positions that later pages can repeat.
 */
export class PositionTracker {
  readonly #shown = new Map<string, number>();
  #last: NumberedPosition | undefined;

  /**
   * Classifies the items of a page.
   *
   * @param overlaps true if the page must start with the last item of the previous page
   */
  classifyPage(page: readonly ListedItem[], overlaps: boolean): ClassifiedItems {
    const numbers = new Map<string, number>();
    const [first] = page;
    if (overlaps && first !== undefined && this.#last?.position === buildPositionKey(first)) {
      numbers.set(this.#last.position, this.#last.nth - 1);
    }
    const placed = { items: [] as ListedItem[], fresh: [] as ListedItem[], duplicates: [] as ListedItem[] };
    for (const item of page) {
      const position = buildPositionKey(item);
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

  /**
   * Deletes the stored positions before `modifiedAfter`, because no later page repeats them. Keeps positions of items
   * without a date, because any page can repeat these items.
   */
  startDateWindow(modifiedAfter: string): void {
    for (const position of this.#shown.keys()) {
      if (!position.startsWith(' ') && position < modifiedAfter) this.#shown.delete(position);
    }
  }
}

const MAX_NAMED_IDS = 10;

/** Counts the items that one sync reads from a listing, and finds ids that several items share. */
export class ItemCount {
  readonly #keys: KeySet;
  readonly #sharedIds: Set<string>;
  #sharing: number;

  /**
   * @param keys an empty set, to which the document keys of the items are added
   * @param before the counts of an earlier process that worked on the same sync
   */
  constructor(keys: KeySet, before?: { readonly sharing: number; readonly sharedIds: readonly string[] }) {
    this.#keys = keys;
    this.#sharing = before?.sharing ?? 0;
    this.#sharedIds = new Set(before?.sharedIds);
  }

  /**
   * Counts the items of a page. An item that is modified during the sync appears again with a later date. An id that
   * appears with a second date therefore belongs to two items only if that date is before the start of the sync.
   *
   * @param startedAt the start of the sync, by the clock of the listing
   */
  countPage({ fresh, duplicates }: Pick<ClassifiedItems, 'fresh' | 'duplicates'>, startedAt: string): void {
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

  /** Returns the number of items whose id an earlier item of the sync already had. */
  get sharing(): number {
    return this.#sharing;
  }

  /** Returns at most `MAX_NAMED_IDS` of the ids that several items share. */
  get sharedIds(): readonly string[] {
    return [...this.#sharedIds];
  }

  /** Returns a note for users that lists the ids that several items share. Returns undefined if all ids are unique. */
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
