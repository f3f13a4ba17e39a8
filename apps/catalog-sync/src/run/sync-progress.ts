import type { SyncCatalog } from '@quarry/contracts';
import type { ItemCount, ListedItem } from '@quarry/item-listing';
import { compileShapeCheck, IsArray, IsInt, IsOptional, IsString, Min } from '@quarry/validation';
import { DeferredItems } from './deferred-items.js';
import { findPreviousListingState, computeListingHash, type ListingState } from './listing-state.js';

type JsonObject = Readonly<Record<string, unknown>>;

const MAX_REPORTED = 200;

/** Tracks the progress of a run, including the progress of earlier processes from the checkpoint. */
export class SyncProgress {
  /** Modification date after which the first scan of this process starts; '' for the beginning of the listing. */
  readonly beginAfter: string;
  /** True if this process continues the first reading of the listing, which another process started. */
  readonly isContinued: boolean;
  readonly #listing: string;
  readonly #previous: ListingState | undefined;
  readonly #reportedBefore: ReadonlySet<string>;
  /** Maps the hashes of invalid items to their modification dates. '': absent or unknown date. */
  readonly #invalid = new Map<string, string>();
  readonly #deferred: DeferredItems;
  #scanAfter: string;
  #readings: number;
  #read: number;
  #pauses: number;
  #failures: number;
  #failingSince: number | undefined;
  #slowestSeconds: number;
  /** The latest modification date that any process of the run has reached in the current reading of the listing. */
  #furthest: string;

  constructor(job: SyncCatalog, checkpoint: RunCheckpoint | undefined) {
    this.#listing = computeListingHash(job);
    this.#previous = findPreviousListingState(job);
    this.#readings = checkpoint?.readings ?? 0;
    // When the whole listing is read a second time, the counts start from zero.
    this.isContinued = checkpoint !== undefined && this.#readings === 0;
    const begin = job.mode === 'full' ? '' : (this.#previous?.modifiedAfter ?? '');
    this.beginAfter = this.isContinued ? (checkpoint?.scanAfter ?? begin) : begin;
    this.#scanAfter = this.beginAfter;
    this.#deferred = new DeferredItems(checkpoint);
    this.#read = checkpoint?.read ?? 0;
    this.#pauses = checkpoint?.waits ?? 0;
    this.#failures = checkpoint?.failures ?? 0;
    this.#failingSince = checkpoint?.failingSince;
    this.#slowestSeconds = checkpoint?.slowestSeconds ?? 0;
    this.#furthest = checkpoint?.scanAfter ?? begin;
    this.#reportedBefore = new Set(job.mode === 'full' ? [] : this.#previous?.reported);
    for (const hash of checkpoint?.reported ?? []) this.#invalid.set(hash, '');
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

  /** Returns true if the last sync has reported this version of the item as invalid. Returns false in a full sync. */
  isReported({ hash }: ListedItem): boolean {
    return this.#reportedBefore.has(hash);
  }

  /** Advances the scan to a modification date. @param items number of items read since the last call */
  advanceScan(scanAfter: string, items: number): void {
    if (scanAfter > this.#furthest) this.#recordNewPosition(scanAfter);
    this.#scanAfter = scanAfter;
    this.#read += items;
  }

  /** Defers an item to the next sync, because this run has already recorded another version of the item. */
  deferItem(item: ListedItem): void {
    this.#deferred.addItem(item);
  }

  recordInvalid({ hash, modified = '' }: ListedItem): void {
    this.#invalid.set(hash, modified);
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
    this.#furthest = '';
  }

  /** Records the latest date that the scan has reached, and clears the counts of pauses and failures. */
  #recordNewPosition(scanAfter: string): void {
    this.#furthest = scanAfter;
    this.#pauses = 0;
    this.#failures = 0;
    this.#failingSince = undefined;
  }

  toCheckpoint({ sharing, sharedIds }: Pick<ItemCount, 'sharing' | 'sharedIds'>): JsonObject {
    return {
      scanAfter: this.#scanAfter,
      ...this.#deferred.toCheckpoint(),
      ...{ readings: this.#readings, read: this.#read, waits: this.#pauses },
      ...(this.#failingSince === undefined ? {} : { failures: this.#failures, failingSince: this.#failingSince }),
      ...this.#describeSlowest(),
      ...{ sharing, sharedIds },
      reported: this.#listReportedAfter(this.#scanAfter),
    } satisfies RunCheckpoint;
  }

  /**
   * Returns the state that the next sync of the listing receives, as a `ListingState`.
   *
   * @param isWhole true when this run read the whole listing. The date of the last sync is then ignored
   */
  toListingState(isWhole: boolean): JsonObject {
    const before = isWhole ? '' : (this.#previous?.modifiedAfter ?? '');
    const read = this.#scanAfter > before ? this.#scanAfter : before;
    const { after: deferredAfter = read } = this.#deferred;
    const modifiedAfter = deferredAfter < read ? deferredAfter : read;
    const reported = this.#listReportedAfter(modifiedAfter);
    return { listing: this.#listing, modifiedAfter, reported, ...this.#describeSlowest() } satisfies ListingState;
  }

  #describeSlowest(): Pick<ListingState, 'slowestSeconds'> {
    return this.#slowestSeconds === 0 ? {} : { slowestSeconds: this.#slowestSeconds };
  }

  /** Returns the hashes of invalid items that a scan from `modifiedAfter` reads again, up to `MAX_REPORTED`. */
  #listReportedAfter(modifiedAfter: string): readonly string[] {
    const found = [...this.#invalid].filter(([, modified]) => modified === '' || modified > modifiedAfter);
    return found.slice(0, MAX_REPORTED).map(([hash]) => hash);
  }
}

/** Describes the progress of a run that the gateway stores, so that another process can resume the run. */
export class RunCheckpoint {
  /** Modification date after which the scan resumes: it reads only items modified later. */
  @IsString()
  readonly scanAfter: string;

  /** Modification date after which the next sync must read to find all deferred items. Absent if there are none. */
  @IsOptional()
  @IsString()
  readonly heldAfter?: string;

  /** Number of times that the whole listing was read, but the result may lack items. */
  @IsInt()
  @Min(0)
  readonly readings: number;

  /** Number of items that the run has read. */
  @IsInt()
  @Min(0)
  readonly read: number;

  /** Number of pauses that the listing requested since the last progress. */
  @IsInt()
  @Min(0)
  readonly waits: number;

  /** Number of failed requests since the last progress or requested pause. Absent when it is 0. */
  @IsOptional()
  @IsInt()
  @Min(0)
  readonly failures?: number;

  /** Time of the first request that `failures` counts, in milliseconds since 1970. Absent if there is none. */
  @IsOptional()
  @IsInt()
  readonly failingSince?: number;

  /** Duration of the slowest response of the listing in this run, in whole seconds. Absent when it is 0. */
  @IsOptional()
  @IsInt()
  @Min(0)
  readonly slowestSeconds?: number;

  /** Number of items that changed after the run had recorded them, so that the next sync reads them again. */
  @IsInt()
  @Min(0)
  readonly deferred: number;

  /** The hashes of the keys of those items, up to a maximum number. Absent if there are none. */
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  readonly deferredKeys?: readonly string[];

  /** Number of items with the id of an item that was read before them. `sharedIds` lists some of those ids. */
  @IsInt()
  @Min(0)
  readonly sharing: number;

  @IsArray()
  @IsString({ each: true })
  readonly sharedIds: readonly string[];

  /** The hashes of invalid items that this run has reported and that its scan may read again. */
  @IsArray()
  @IsString({ each: true })
  readonly reported: readonly string[];
}

export const isRunCheckpoint = compileShapeCheck(RunCheckpoint, 'ignore');
