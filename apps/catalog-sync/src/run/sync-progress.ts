import type { SyncCatalog } from '@quarry/contracts';
import { subtractMillisecond, type ListedItem, type ItemCount } from '@quarry/item-listing';
import { identifyListing, findPreviousState, type ListingState } from './listing-state.js';
import type { RunCheckpoint } from './run-checkpoint.js';

type JsonObject = Readonly<Record<string, unknown>>;

const MAX_REPORTED = 200;

/** The progress of a run, across all processes that work on it. */
export class SyncProgress {
  /** Date after which the scan of this process starts; '' for the beginning of the listing. */
  readonly beginAfter: string;
  /** True when the scan continues one that another process has started. */
  readonly isContinued: boolean;
  readonly #listing: string;
  readonly #previous: ListingState | undefined;
  readonly #reportedBefore: ReadonlySet<string>;
  /** The dates of invalid items by their hashes. */
  readonly #invalid = new Map<string, string>();
  #scanAfter: string;
  #heldAfter: string | undefined;
  #readings: number;
  #read: number;
  #pauses: number;
  #deferred: number;

  constructor(job: SyncCatalog, checkpoint: RunCheckpoint | undefined) {
    this.#listing = identifyListing(job);
    this.#previous = findPreviousState(job);
    this.#readings = checkpoint?.readings ?? 0;
    // A second reading starts its counts from zero.
    this.isContinued = checkpoint !== undefined && this.#readings === 0;
    const begin = job.mode === 'full' ? '' : (this.#previous?.modifiedAfter ?? '');
    this.beginAfter = this.isContinued ? (checkpoint?.scanAfter ?? begin) : begin;
    this.#scanAfter = this.beginAfter;
    this.#heldAfter = checkpoint?.heldAfter;
    this.#read = checkpoint?.read ?? 0;
    this.#pauses = checkpoint?.waits ?? 0;
    this.#deferred = checkpoint?.deferred ?? 0;
    this.#reportedBefore = new Set(job.mode === 'full' ? [] : this.#previous?.reported);
    for (const hash of checkpoint?.reported ?? []) this.#invalid.set(hash, '');
  }

  get readings(): number {
    return this.#readings;
  }

  /** Number of items that were read. */
  get read(): number {
    return this.#read;
  }

  get pauses(): number {
    return this.#pauses;
  }

  /** Number of items that changed again after the run had recorded them. */
  get deferred(): number {
    return this.#deferred;
  }

  /** Returns whether the last sync has reported this item as invalid. */
  isReported({ hash }: ListedItem): boolean {
    return this.#reportedBefore.has(hash);
  }

  /** Records that everything up to a date is recorded. @param items number of items read since the last call */
  advance(scanAfter: string, items: number): void {
    if (scanAfter > this.#scanAfter) this.#pauses = 0;
    this.#scanAfter = scanAfter;
    this.#read += items;
  }

  /** Records an item that the next sync has to read again, because this run has recorded another version of it. */
  defer({ modified }: ListedItem): void {
    this.#deferred += 1;
    if (modified === undefined) return;
    const before = subtractMillisecond(modified);
    if (this.#heldAfter === undefined || before < this.#heldAfter) this.#heldAfter = before;
  }

  recordInvalid({ hash, modified = '' }: ListedItem): void {
    this.#invalid.set(hash, modified);
  }

  recordPause(): void {
    this.#pauses += 1;
  }

  /** Records that a reading of the whole listing has ended without a result. */
  restartReading(): void {
    this.#readings += 1;
  }

  toCheckpoint({ sharing, sharedIds }: Pick<ItemCount, 'sharing' | 'sharedIds'>): JsonObject {
    return {
      scanAfter: this.#scanAfter,
      ...(this.#heldAfter === undefined ? {} : { heldAfter: this.#heldAfter }),
      ...{ readings: this.#readings, read: this.#read, waits: this.#pauses, deferred: this.#deferred },
      ...{ sharing, sharedIds },
      reported: this.#reportedAfter(this.#scanAfter),
    } satisfies RunCheckpoint;
  }

  /**
   * Returns the state for the next sync.
   *
   * @param isWhole true when the whole listing was read, so that dates after its last item are of no use
   */
  toListingState(isWhole: boolean): JsonObject {
    const before = isWhole ? '' : (this.#previous?.modifiedAfter ?? '');
    const read = this.#scanAfter > before ? this.#scanAfter : before;
    const modifiedAfter = this.#heldAfter !== undefined && this.#heldAfter < read ? this.#heldAfter : read;
    const reported = this.#reportedAfter(modifiedAfter);
    return { listing: this.#listing, modifiedAfter, reported } satisfies ListingState;
  }

  /** Returns the invalid items that a scan from `modifiedAfter` reads again. Items without a date are always included. */
  #reportedAfter(modifiedAfter: string): readonly string[] {
    const found = [...this.#invalid].filter(([, modified]) => modified === '' || modified > modifiedAfter);
    return found.slice(0, MAX_REPORTED).map(([hash]) => hash);
  }
}
