import type { CatalogSyncMode, SyncCatalog } from '@quarry/contracts';
import type { ListedItem } from '../listing/listed-item.js';
import { justBefore } from '../listing/item-date.js';
import type { CatalogState, RunEnd } from './catalog-state.js';
import { listOfVersions, versionsIn } from './versions.js';

/**
 * What is to be done with an item:
 *
 * - `hand-over`: it is new or has changed
 * - `confirm`: it has not changed, and this run names all that is there
 * - `leave`: nothing
 * - `defer`: it has changed since this run handed it over, and a run hands a document over once: the next one takes it
 */
export type Decision = 'hand-over' | 'confirm' | 'leave' | 'defer';

export interface DecidedItem {
  readonly item: ListedItem;
  readonly decision: Decision;
}

const UNKNOWN_VERSION = '';

/** Keeps which version of which item was handed over, over the runs and over the processes that die in one. */
export class Ledger {
  readonly #runId: string;
  readonly #listing: string;
  readonly #mode: CatalogSyncMode;
  readonly #versions: Map<string, string>;
  readonly #named: Set<string>;
  readonly #intended: Map<string, string>;
  /** Before this run. */
  #handedOverUntil: string;
  #heldAfter: string | undefined;
  #waits: number;
  #deferred = 0;

  /**
   * @param state of the same listing, from any run
   * @param intended what an earlier start of this run was about to hand over, as `intentions` told it
   */
  constructor(state: CatalogState, run: Pick<SyncCatalog, 'runId' | 'mode'>, intended: ReadonlyMap<string, string>) {
    const soFar = state.run?.runId === run.runId ? state.run : undefined;
    this.#runId = run.runId;
    this.#listing = state.listing;
    this.#mode = run.mode;
    this.#versions = versionsIn(state.versions);
    this.#named = new Set(soFar?.named);
    this.#intended = new Map(intended);
    this.#handedOverUntil = state.modifiedAfter;
    this.#heldAfter = soFar?.heldAfter;
    this.#waits = soFar?.waits ?? 0;
  }

  /** How many items the listing had. */
  get known(): number {
    return this.#versions.size;
  }

  /** The document keys that this run has handed over or settled. */
  get named(): ReadonlySet<string> {
    return this.#named;
  }

  /** How many items changed again after this run had handed them over. */
  get deferred(): number {
    return this.#deferred;
  }

  /** How often in a row the listing asked to be left alone. */
  get waits(): number {
    return this.#waits;
  }

  /** Decides on the items of a page. Nothing is remembered before `record`. */
  decide(items: readonly ListedItem[]): readonly DecidedItem[] {
    const inPage = new Map<string, string>();
    return items.map((item) => {
      const decision = this.#decide(item, inPage);
      inPage.set(item.documentKey, item.hash);
      return { item, decision };
    });
  }

  /**
   * What has to be durable before the items are handed over, beside what is: with it, a later start knows which versions may be
   * on their way.
   */
  intentions(decided: readonly DecidedItem[]): ReadonlyMap<string, string> {
    const next = decided.filter(
      ({ item, decision }) => decision === 'hand-over' && !this.#intended.has(item.documentKey),
    );
    return new Map(next.map(({ item }) => [item.documentKey, item.hash]));
  }

  /** Drops the intentions that a durable state has made needless. */
  recordCheckpoint(): void {
    for (const key of this.#intended.keys()) if (this.#named.has(key)) this.#intended.delete(key);
  }

  /** Remembers that what was decided has been done, durably. */
  record(decided: readonly DecidedItem[]): void {
    for (const { item, decision } of decided) {
      if (decision === 'hand-over') this.#recordHandedOver(item);
      if (decision === 'confirm') this.#named.add(item.documentKey);
      if (decision === 'defer') {
        this.#deferred += 1;
        this.#forgetVersion(item);
      }
    }
  }

  recordWait(): void {
    this.#waits += 1;
  }

  recordProgress(): void {
    this.#waits = 0;
  }

  /**
   * Takes a whole reading of the listing for all that is there: what it has not shown is forgotten, and handed over should it come
   * back; and so are dates later than those it has shown, should a shop have gone back in time.
   */
  keepOnly(shown: ReadonlySet<string>): void {
    for (const key of this.#versions.keys()) if (!shown.has(key)) this.#versions.delete(key);
    this.#handedOverUntil = '';
  }

  /** @param goesOnAfter where the scan stands @param end of the run, when it has come */
  state(goesOnAfter: string, end?: RunEnd): CatalogState {
    const read = goesOnAfter > this.#handedOverUntil ? goesOnAfter : this.#handedOverUntil;
    const held = this.#heldAfter !== undefined && this.#heldAfter < read ? this.#heldAfter : read;
    return {
      form: 2,
      listing: this.#listing,
      modifiedAfter: held,
      versions: listOfVersions(this.#versions),
      run: {
        runId: this.#runId,
        modifiedAfter: goesOnAfter,
        ...(this.#heldAfter === undefined ? {} : { heldAfter: this.#heldAfter }),
        named: [...this.#named],
        waits: this.#waits,
        ...(end === undefined ? {} : { end }),
      },
    };
  }

  #decide(item: ListedItem, inPage: ReadonlyMap<string, string>): Decision {
    const sooner = inPage.get(item.documentKey);
    if (sooner !== undefined) return sooner === item.hash ? 'leave' : 'defer';
    const same = this.#versions.get(item.documentKey) === item.hash;
    if (this.#named.has(item.documentKey)) return same ? 'leave' : 'defer';
    if (!same) return 'hand-over';
    return this.#mode === 'full' ? 'confirm' : 'leave';
  }

  /** The queue keeps the first job of a run and document: when another version may have come first, that one may be it. */
  #recordHandedOver(item: ListedItem): void {
    this.#named.add(item.documentKey);
    const first = this.#intended.get(item.documentKey) ?? item.hash;
    if (first === item.hash) this.#versions.set(item.documentKey, item.hash);
    else this.#forgetVersion(item);
    this.#intended.set(item.documentKey, first);
  }

  #forgetVersion(item: ListedItem): void {
    this.#versions.set(item.documentKey, UNKNOWN_VERSION);
    if (item.modified === undefined) return;
    const before = justBefore(item.modified);
    if (this.#heldAfter === undefined || before < this.#heldAfter) this.#heldAfter = before;
  }
}
