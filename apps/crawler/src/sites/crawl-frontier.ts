import type { PageProblem } from '../pages/page.js';
import { MAX_RETRY_WAIT_MS } from '../pages/visit-url.js';
import type { FrontierEntry } from './frontier.js';
import { lookUpPage, type LookUpParts, type LookUpResult } from './look-up-page.js';
import { settlePage, type SiteCrawl } from './settle-page.js';

/** Maximum number of pages that are looked up concurrently. Requests also wait for the rate limit of their host. */
const CONCURRENT_LOOK_UPS = 8;
/** Number of consecutive pages that fail after three attempts, at which the site counts as unavailable. */
const MAX_CONSECUTIVE_FAILURES = 10;
/** Maximum number of pages that exceed the limits of extraction. Each one blocks a thread that other crawls need. */
const MAX_UNREADABLE = 20;

export interface FrontierParts {
  readonly lookUps: LookUpParts;
  readonly signal: AbortSignal;
  /** The end of the crawl, in milliseconds since 1970. */
  readonly deadline: number;
  readonly onProgress: (done: number, total: number) => void;
  /** Called when the server requests a delay of more than a minute. Throws to postpone the crawl. */
  readonly onBusy: (problem: PageProblem) => void;
}

/** Explains why a crawl ended early. */
export type StopReason = 'out_of_time' | 'site_unavailable' | 'unreadable';

/** Crawls the pages of the frontier until it is empty. @returns the reason if the crawl ended early, else undefined */
export async function crawlFrontier(parts: FrontierParts, crawl: SiteCrawl): Promise<StopReason | undefined> {
  let stopReason: StopReason | undefined;
  let failures = 0;
  let unreadable = 0;
  let done = crawl.frontier.takenCount;
  const next = (): FrontierEntry | undefined => {
    if (stopReason === undefined && parts.lookUps.visits.now() > parts.deadline) stopReason = 'out_of_time';
    return stopReason === undefined ? crawl.frontier.next() : undefined;
  };
  const process = (entry: FrontierEntry, signal: AbortSignal): Promise<LookUpResult> =>
    lookUpPage(parts.lookUps, entry, signal);
  const accept = async (result: LookUpResult, entry: FrontierEntry): Promise<void> => {
    if ((result.transientProblem?.retryAfterMs ?? 0) > MAX_RETRY_WAIT_MS && result.transientProblem !== undefined)
      parts.onBusy(result.transientProblem);
    await settlePage(crawl, entry, result);
    failures = result.transientProblem === undefined ? 0 : failures + 1;
    if (failures >= MAX_CONSECUTIVE_FAILURES) stopReason = 'site_unavailable';
    if (result.record.problem?.code === 'page_unreadable') unreadable += 1;
    if (unreadable >= MAX_UNREADABLE) stopReason = 'unreadable';
    done += 1;
    parts.onProgress(done, crawl.frontier.size);
  };
  await processInOrder({ next, concurrency: CONCURRENT_LOOK_UPS, process, accept }, parts.signal);
  return stopReason;
}

/** Defines how items are processed concurrently, and how their results are accepted one by one in order. */
interface OrderedWork<Item, Result> {
  /** Returns the next item; undefined when there is none now. Called again after each accepted result, which may add items. */
  readonly next: () => Item | undefined;
  /** Maximum number of items that are processed concurrently. */
  readonly concurrency: number;
  readonly process: (item: Item, signal: AbortSignal) => Promise<Result>;
  readonly accept: (result: Result, item: Item) => Promise<void>;
}

/**
 * Processes items concurrently and accepts their results in the order of the items, whatever the duration of each item.
 *
 * @throws what `process` or `accept` throws, after all work in progress has ended
 */
export async function processInOrder<Item, Result>(
  { next, concurrency, process, accept }: OrderedWork<Item, Result>,
  signal: AbortSignal,
): Promise<void> {
  const stop = new AbortController();
  const combined = AbortSignal.any([signal, stop.signal]);
  const inProgress: { readonly item: Item; readonly result: Promise<Result> }[] = [];
  try {
    for (;;) {
      signal.throwIfAborted();
      while (inProgress.length < concurrency) {
        const item = next();
        if (item === undefined) break;
        const result = process(item, combined);
        // Prevents an unhandled rejection if it fails before it is awaited.
        result.catch(() => undefined);
        inProgress.push({ item, result });
      }
      const first = inProgress.shift();
      if (first === undefined) return;
      await accept(await first.result, first.item);
    }
  } finally {
    stop.abort();
    await Promise.allSettled(inProgress.map(({ result }) => result));
  }
}
