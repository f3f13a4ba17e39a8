import type { SyncCatalog } from '@quarry/contracts';
import type { ItemCount, ListedItem, ScanStart } from '@quarry/item-listing';
import { DeferredItems } from './deferred-items.js';
import { findPreviousListingState, computeListingHash, type ListingState } from './listing-state.js';
import type { RunCheckpoint } from './run-checkpoint.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** Tracks the progress of a run, including the progress of earlier processes from the checkpoint. */
export class SyncProgress {
  /** Start of the first scan of this process. */
  readonly begin: ScanStart;
  /** True if this process continues the first reading of the listing, which another process started. */
  readonly isContinued: boolean;
  readonly #listing: string;
  readonly #previous: ListingState | undefined;
  readonly #deferred: DeferredItems;
  /** Start of a scan that reads the items that the current reading of the listing has not yet processed. */
  #remaining: ScanStart;
  #readings: number;
  #read: number;
  #pauses: number;
  #failures: number;
  #failingSince: number | undefined;
  #slowestSeconds: number;
  /** The value of `#remaining` that excludes the most items, of all processes in the current reading of the listing. */
  #furthest: ScanStart;

  constructor(job: SyncCatalog, checkpoint: RunCheckpoint | undefined) {
    this.#listing = computeListingHash(job);
    this.#previous = findPreviousListingState(job);
    this.#readings = checkpoint?.readings ?? 0;
    // When the whole listing is read a second time, the counts start from zero.
    this.isContinued = checkpoint !== undefined && this.#readings === 0;
    const begin = { modifiedAfter: job.mode === 'full' ? '' : (this.#previous?.modifiedAfter ?? '') };
    const resumed = checkpoint === undefined ? begin : getScanStart(checkpoint);
    this.begin = this.isContinued ? resumed : begin;
    this.#remaining = this.begin;
    this.#deferred = new DeferredItems(checkpoint);
    this.#read = checkpoint?.read ?? 0;
    this.#pauses = checkpoint?.waits ?? 0;
    this.#failures = checkpoint?.failures ?? 0;
    this.#failingSince = checkpoint?.failingSince;
    this.#slowestSeconds = checkpoint?.slowestSeconds ?? 0;
    this.#furthest = resumed;
  }

  get readingCount(): number {
    return this.#readings;
  }

  /** Returns the number of items that all processes of the run have read, including repeated readings. */
  get readCount(): number {
    return this.#read;
  }

  get pauseCount(): number {
    return this.#pauses;
  }

  /**
   * Returns the number of items that changed after the run had recorded them, so that the next sync reads them again.
   */
  get deferredCount(): number {
    return this.#deferred.count;
  }

  /**
   * Advances the scan.
   *
   * @param remaining start of a scan that reads the items not yet processed
   * @param items number of items read since the last call
   */
  advanceScan(remaining: ScanStart, items: number): void {
    if (isFurther(remaining, this.#furthest)) this.#recordAdvance(remaining);
    this.#remaining = remaining;
    this.#read += items;
  }

  /** Defers an item to the next sync, because this run has already recorded another version of the item. */
  deferItem(item: ListedItem): void {
    this.#deferred.addItem(item);
  }

  /** Records that the listing requested a pause. The count of failed requests starts from zero after a pause. */
  recordPause(): void {
    this.#pauses += 1;
    this.#failures = 0;
    this.#failingSince = undefined;
  }

  /** Records a failed request to the listing. @param now milliseconds since 1970 */
  recordFailure(now: number): void {
    this.#failures += 1;
    this.#failingSince ??= now;
  }

  /** Returns the number of failed requests since the last progress or requested pause. */
  get failureCount(): number {
    return this.#failures;
  }

  /**
   * Returns the time of the first request that `failureCount` counts, in milliseconds since 1970; undefined without
   * one.
   */
  get failingSince(): number | undefined {
    return this.#failingSince;
  }

  /** Returns the duration of the slowest of all responses in this run and the last sync, in whole seconds. */
  get slowestSeconds(): number {
    return Math.max(this.#slowestSeconds, this.#previous?.slowestSeconds ?? 0);
  }

  /** Records the duration of a response of the listing, in milliseconds. */
  recordResponse(ms: number): void {
    this.#slowestSeconds = Math.max(this.#slowestSeconds, Math.floor(ms / 1_000));
  }

  /** Records that the whole listing was read, but that the result may lack items. */
  recordFailedReading(): void {
    this.#readings += 1;
    this.#furthest = { modifiedAfter: '' };
  }

  /** Records that the scan has advanced further than before, and clears the counts of pauses and failures. */
  #recordAdvance(remaining: ScanStart): void {
    this.#furthest = remaining;
    this.#pauses = 0;
    this.#failures = 0;
    this.#failingSince = undefined;
  }

  toCheckpoint({ sharing, sharedIds }: Pick<ItemCount, 'sharing' | 'sharedIds'>): JsonObject {
    const { modifiedAfter: scanAfter, position } = this.#remaining;
    return {
      ...{ scanAfter, ...(position && { position }) },
      ...this.#deferred.toCheckpoint(),
      ...{ readings: this.#readings, read: this.#read, waits: this.#pauses },
      ...(this.#failingSince === undefined ? {} : { failures: this.#failures, failingSince: this.#failingSince }),
      ...this.#describeSlowest(),
      ...{ sharing, sharedIds },
    } satisfies RunCheckpoint;
  }

  /**
   * Returns the state that the next sync of the listing receives, as a `ListingState`.
   *
   * @param isWhole true when this run read the whole listing. The date of the last sync is then ignored
   */
  toListingState(isWhole: boolean): JsonObject {
    const before = isWhole ? '' : (this.#previous?.modifiedAfter ?? '');
    const { modifiedAfter: scanned } = this.#remaining;
    const read = scanned > before ? scanned : before;
    const { after: deferredAfter = read } = this.#deferred;
    const modifiedAfter = deferredAfter < read ? deferredAfter : read;
    return { listing: this.#listing, modifiedAfter, ...this.#describeSlowest() } satisfies ListingState;
  }

  #describeSlowest(): Pick<ListingState, 'slowestSeconds'> {
    return this.#slowestSeconds === 0 ? {} : { slowestSeconds: this.#slowestSeconds };
  }
}

function getScanStart({ scanAfter: modifiedAfter, position }: RunCheckpoint): ScanStart {
  return { modifiedAfter, ...(position && { position }) };
}

/** Returns true if a scan that starts at `a` excludes more items than a scan that starts at `b`. */
function isFurther(a: ScanStart, b: ScanStart): boolean {
  if (a.modifiedAfter !== b.modifiedAfter) return a.modifiedAfter > b.modifiedAfter;
  return (a.position?.skip ?? 0) > (b.position?.skip ?? 0);
}
