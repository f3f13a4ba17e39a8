import type { SyncCatalog } from '@quarry/contracts';
import { handOver, keepKeys, type HandOverContext } from '../documents/hand-over.js';
import { patiently, type Wait } from '../listing/patience.js';
import type { RunEnd } from '../scan/catalog-state.js';
import type { Ledger } from '../scan/ledger.js';
import { ItemCount } from '../scan/item-count.js';
import { ListingScan, type ReadPage, type ScannedPage } from '../scan/listing-scan.js';
import type { StateStore } from '../scan/state-store.js';
import { FutureItems } from './future-items.js';
import { readAhead } from './read-ahead.js';
import type { RunReporter } from './run-reporter.js';
import { Tally } from './tally.js';

export interface SyncRunContext extends HandOverContext {
  readonly wait: Wait;
}

/** What a run works with. */
export interface SyncRunParts {
  readonly job: SyncCatalog;
  readonly readPage: ReadPage;
  readonly ledger: Ledger;
  /** Where the scan begins or goes on. */
  readonly goesOnAfter: string;
  readonly store: StateStore;
  readonly reporter: RunReporter;
  /** Ends what `readPage` is doing, too. */
  readonly signal: AbortSignal;
  /** Aborts `signal`: nothing that is read any more is wanted. */
  readonly leave: () => void;
}

/** A shop that changes while it is read is read again, this many times in all, before removal waits for the next run. */
const SCANS = 3;
/** Writing the state costs as much as it is long, so it is written when a quarter of it can be new. */
const CHECKPOINT_ITEMS = 2_000;
const CHECKPOINT_SHARE = 4;
/** Characters that are read and wait to be handed over: so much again is being handed over meanwhile. */
const MOST_AHEAD = 500_000;
/** What an item counts for at least, so that no more than 1,000 wait: queues take so many at once. */
const LEAST_SIZE = 500;

/** One synchronisation of a listing. */
export class SyncRun {
  readonly #context: SyncRunContext;
  readonly #parts: SyncRunParts;
  readonly #tally = new Tally();
  readonly #future = new FutureItems();
  /** Document keys of items that were read. */
  readonly #fetched = new Set<string>();
  #goesOnAfter: string;
  #end: RunEnd | undefined;
  #read = 0;
  #readAtCheckpoint = 0;

  constructor(context: SyncRunContext, parts: SyncRunParts) {
    this.#context = context;
    this.#parts = parts;
    this.#goesOnAfter = parts.goesOnAfter;
  }

  /** Reads the listing, hands over what has changed, and says what there was. */
  async run(): Promise<void> {
    const { job, ledger, reporter } = this.#parts;
    const { whole, doubt, sharedIds } = job.mode === 'full' ? await this.#readWhole() : await this.#readChanges();
    if (job.dryRun) {
      await this.#tellDryRun(whole);
      return;
    }
    this.#end = {
      documents: ledger.named.size,
      complete: whole !== undefined,
      fetched: this.#fetched.size,
      note: this.#notes(doubt, sharedIds),
    };
    await this.checkpoint();
    await reporter.enumerated(this.#end);
  }

  /** Keeps what has been done, for whoever goes on from here. */
  async checkpoint(): Promise<void> {
    const { ledger, store, job } = this.#parts;
    if (job.dryRun) return;
    await store.save(ledger.state(this.#goesOnAfter, this.#end));
    ledger.recordCheckpoint();
    this.#readAtCheckpoint = this.#read;
  }

  async #tellDryRun(whole: ReadonlySet<string> | undefined): Promise<void> {
    const { job, reporter } = this.#parts;
    const told = { documents: 0, complete: false, fetched: this.#fetched.size };
    const note = this.#tally.inWords(whole !== undefined);
    const { valid } = this.#tally;
    const wouldKeep = whole && { blobKey: await keepKeys(this.#context.blobs, job, whole), valid };
    await reporter.enumerated({ ...told, note }, wouldKeep);
  }

  async #readChanges(): Promise<Reading> {
    await this.#scan(this.#parts.goesOnAfter, new ItemCount());
    return { whole: undefined, doubt: '', sharedIds: '' };
  }

  /** Until one reading has shown as many items as the listing says there are. */
  async #readWhole(): Promise<Reading> {
    const { ledger, goesOnAfter } = this.#parts;
    let count = new ItemCount(goesOnAfter === '' ? undefined : new Set(ledger.named));
    let doubt = '';
    for (let scans = 0; scans < SCANS; scans += 1) {
      const scan = await this.#scan(scans === 0 ? goesOnAfter : '', count);
      const total = scan.wholeCount ?? (await this.#askTotal());
      const sharedIds = count.describeSharedIds();
      if (scan.steady && count.agreesWith(total)) {
        ledger.keepOnly(count.keys);
        return { whole: count.keys, doubt: '', sharedIds };
      }
      doubt = scan.steady
        ? `total_count says ${total}, ${count.keys.size} different items were read`
        : 'items moved faster than they could be read';
      if (scans === SCANS - 1) return { whole: undefined, doubt, sharedIds };
      count = new ItemCount();
    }
    return { whole: undefined, doubt, sharedIds: '' };
  }

  async #scan(modifiedAfter: string, count: ItemCount): Promise<FinishedScan> {
    const { job, ledger, leave } = this.#parts;
    const expected = ledger.known;
    const scan = new ListingScan((query) => this.#ask(query), {
      ...{ take: job.pageSize, modifiedAfter, expected },
      now: this.#context.now,
    });
    const read = async (): Promise<ReadPages | undefined> => {
      const page = await scan.next();
      if (page === undefined) return undefined;
      count.add(page, scan.begunAt);
      this.#future.add(page.fresh, scan.answeredAt);
      return { ...page, goesOnAfter: scan.goesOnAfter };
    };
    for await (const pages of readAhead(read, { most: MOST_AHEAD, sizeOf, leave })) {
      const together = joined(pages);
      await this.#handle(together);
    }
    const isWhole = modifiedAfter === '' && scan.pages === 1;
    return { steady: scan.steady, wholeCount: isWhole ? scan.totalCount : undefined };
  }

  async #handle({ items, totalCount, goesOnAfter }: ReadPages): Promise<void> {
    const { job, ledger, store, reporter } = this.#parts;
    const decided = ledger.decide(items);
    if (job.dryRun) this.#tally.add(decided);
    else {
      const intentions = ledger.intentions(decided);
      await handOver(this.#context, job, decided, async () => {
        if (intentions.size > 0) await store.saveIntentions(intentions);
      });
    }
    ledger.record(decided);
    if (goesOnAfter > this.#goesOnAfter) ledger.recordProgress();
    this.#goesOnAfter = goesOnAfter;
    this.#read += items.length;
    for (const { documentKey } of items) this.#fetched.add(documentKey);
    const { size: done } = this.#fetched;
    await reporter.progressed({ done, total: Math.max(totalCount, done) });
    const due = Math.max(CHECKPOINT_ITEMS, ledger.known / CHECKPOINT_SHARE);
    if (this.#read - this.#readAtCheckpoint >= due) await this.checkpoint();
  }

  #notes(doubt: string, sharedIds: string): string {
    const { deferred } = this.#parts.ledger;
    const parts = [
      doubt === '' ? '' : `Nothing was removed, because ${doubt}.`,
      sharedIds,
      deferred === 0 ? '' : `${deferred} items changed while they were being read: the next sync reads them again.`,
      this.#future.describe(),
    ];
    return parts.filter((part) => part !== '').join(' ');
  }

  async #ask(query: Parameters<ReadPage>[0]): ReturnType<ReadPage> {
    const { readPage, signal } = this.#parts;
    signal.throwIfAborted();
    return patiently(() => readPage(query), this.#context.wait, signal);
  }

  async #askTotal(): Promise<number> {
    return (await this.#ask({ take: 1, skip: 0, modifiedAfter: '' })).totalCount;
  }
}

/** Some pages, one after the other. */
interface ReadPages extends ScannedPage {
  /** Where the scan stood after them. */
  readonly goesOnAfter: string;
}

function joined(pages: readonly ReadPages[]): ReadPages {
  const last = pages.at(-1);
  const items = pages.flatMap((page) => page.items);
  const [fresh, doubles] = [pages.flatMap((page) => page.fresh), pages.flatMap((page) => page.doubles)];
  return { items, fresh, doubles, totalCount: last?.totalCount ?? 0, goesOnAfter: last?.goesOnAfter ?? '' };
}

function sizeOf({ items }: ScannedPage): number {
  return items.reduce((sum, { size }) => sum + Math.max(size, LEAST_SIZE), 0);
}

interface FinishedScan {
  readonly steady: boolean;
  /** What `total_count` said, where one response showed the whole listing. */
  readonly wholeCount: number | undefined;
}

/** What a run has read of a listing. */
interface Reading {
  /** The document keys of everything that there is; undefined when something else may be there. */
  readonly whole: ReadonlySet<string> | undefined;
  readonly doubt: string;
  /** Names the ids that several items share; '' where there are none. */
  readonly sharedIds: string;
}
