import type { SyncCatalog } from '@quarry/contracts';
import { justBefore, type ListedItem, type ItemCount } from '@quarry/item-listing';
import { identifyListing, previousState, type ListingState } from './listing-state.js';
import type { RunCheckpoint } from './run-checkpoint.js';

type JsonObject = Readonly<Record<string, unknown>>;

const MAX_REPORTED = 200;

/** What a run has reached, over all processes that work on it. */
export class SyncProgress {
  /** Where the scan of this process begins; '' for the beginning of the listing. */
  readonly beginAfter: string;
  /** Whether the scan continues one that another process has begun. */
  readonly isContinued: boolean;
  readonly #listing: string;
  readonly #previous: ListingState | undefined;
  readonly #reportedBefore: ReadonlySet<string>;
  /** The dates of invalid items, by their hashes. */
  readonly #invalid = new Map<string, string>();
  #scanAfter: string;
  #heldAfter: string | undefined;
  #readings: number;
  #read: number;
  #waits: number;
  #deferred: number;

  constructor(job: SyncCatalog, checkpoint: RunCheckpoint | undefined) {
    this.#listing = identifyListing(job);
    this.#previous = previousState(job);
    this.#readings = checkpoint?.readings ?? 0;
    // A second reading counts from its beginning.
    this.isContinued = checkpoint !== undefined && this.#readings === 0;
    const begin = job.mode === 'full' ? '' : (this.#previous?.modifiedAfter ?? '');
    this.beginAfter = this.isContinued ? (checkpoint?.scanAfter ?? begin) : begin;
    this.#scanAfter = this.beginAfter;
    this.#heldAfter = checkpoint?.heldAfter;
    this.#read = checkpoint?.read ?? 0;
    this.#waits = checkpoint?.waits ?? 0;
    this.#deferred = checkpoint?.deferred ?? 0;
    this.#reportedBefore = new Set(job.mode === 'full' ? [] : this.#previous?.reported);
    for (const hash of checkpoint?.reported ?? []) this.#invalid.set(hash, '');
  }

  get readings(): number {
    return this.#readings;
  }

  /** Items that were read. */
  get read(): number {
    return this.#read;
  }

  get waits(): number {
    return this.#waits;
  }

  /** Items that changed again after the run had recorded them. */
  get deferred(): number {
    return this.#deferred;
  }

  /** Returns whether the last sync has reported this item as invalid. */
  isReported({ hash }: ListedItem): boolean {
    return this.#reportedBefore.has(hash);
  }

  /** Notes that everything up to a date is recorded. @param items how many items were read since the last call */
  advance(scanAfter: string, items: number): void {
    if (scanAfter > this.#scanAfter) this.#waits = 0;
    this.#scanAfter = scanAfter;
    this.#read += items;
  }

  /** Notes an item that the next sync has to read again, because this run has recorded another version of it. */
  defer({ modified }: ListedItem): void {
    this.#deferred += 1;
    if (modified === undefined) return;
    const before = justBefore(modified);
    if (this.#heldAfter === undefined || before < this.#heldAfter) this.#heldAfter = before;
  }

  noteInvalid({ hash, modified = '' }: ListedItem): void {
    this.#invalid.set(hash, modified);
  }

  noteWait(): void {
    this.#waits += 1;
  }

  /** Notes that a reading of the whole listing has ended without a result. */
  startAgain(): void {
    this.#readings += 1;
  }

  toCheckpoint({ sharing, sharedIds }: Pick<ItemCount, 'sharing' | 'sharedIds'>): JsonObject {
    return {
      scanAfter: this.#scanAfter,
      ...(this.#heldAfter === undefined ? {} : { heldAfter: this.#heldAfter }),
      ...{ readings: this.#readings, read: this.#read, waits: this.#waits, deferred: this.#deferred },
      ...{ sharing, sharedIds },
      reported: this.#reportedAfter(this.#scanAfter),
    } satisfies RunCheckpoint;
  }

  /** @param isWhole whether the listing was read to its end as it is: then dates later than its own are of no use */
  toListingState(isWhole: boolean): JsonObject {
    const before = isWhole ? '' : (this.#previous?.modifiedAfter ?? '');
    const read = this.#scanAfter > before ? this.#scanAfter : before;
    const modifiedAfter = this.#heldAfter !== undefined && this.#heldAfter < read ? this.#heldAfter : read;
    const reported = this.#reportedAfter(modifiedAfter);
    return { listing: this.#listing, modifiedAfter, reported } satisfies ListingState;
  }

  /** The invalid items that a scan from `modifiedAfter` reads. An item without a date can be read at any time. */
  #reportedAfter(modifiedAfter: string): readonly string[] {
    const found = [...this.#invalid].filter(([, modified]) => modified === '' || modified > modifiedAfter);
    return found.slice(0, MAX_REPORTED).map(([hash]) => hash);
  }
}
