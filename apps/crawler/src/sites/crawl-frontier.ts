import type { PageProblem } from '../pages/page.js';
import { RetryPostponed, planRequestRetry, type RetryParts } from '../pages/visit-url.js';
import { HostBusy } from '../politeness/host-rate-limiter.js';
import type { FrontierEntry } from './frontier.js';
import { lookUpPage, type LookUpParts, type LookUpResult } from './look-up-page.js';
import { settlePage, type SiteCrawl } from './settle-page.js';
import type { SiteHealth } from './site-state.js';

/** Maximum number of pages that are looked up concurrently. Requests also wait for the rate limit of their host. */
const CONCURRENT_LOOK_UPS = 8;
/** Number of consecutive pages with three failed attempts each, from which the site counts as unavailable. */
const MAX_CONSECUTIVE_FAILURES = 10;
/**
 * Maximum number of pages that exceed the limits of extraction. Each of these pages blocks a thread that other crawls
 * need.
 */
const MAX_UNREADABLE = 20;

export interface FrontierParts {
  readonly lookUps: LookUpParts;
  readonly retries: RetryParts;
  readonly signal: AbortSignal;
  /** The end of the crawl, in milliseconds since 1970. */
  readonly deadline: number;
  readonly onProgress: (done: number, total: number) => void;
}

/** Explains why a crawl ended early. */
export type StopReason = 'out_of_time' | 'site_unavailable' | 'unreadable';

/** Explains why a crawl must continue later. */
type Interruption = HostBusy | RetryPostponed;

/**
 * Crawls the pages of the frontier until it is empty. After a failed request, or when a host is busy, no further
 * request starts. The requests in progress end, and pages without a result return to the frontier.
 *
 * @returns the reason if the crawl ended early, otherwise undefined
 * @throws RetryPostponed, HostBusy; a later call then continues with the remaining frontier
 */
export async function crawlFrontier(
  parts: FrontierParts,
  crawl: SiteCrawl,
  health: SiteHealth,
): Promise<StopReason | undefined> {
  let stopReason: StopReason | undefined;
  let interruption: Interruption | undefined;
  const unanswered: FrontierEntry[] = [];
  let done = crawl.frontier.dequeuedCount;
  const dequeueEntry = (): FrontierEntry | undefined => {
    if (stopReason === undefined && parts.lookUps.visits.now() > parts.deadline) stopReason = 'out_of_time';
    return stopReason === undefined && interruption === undefined ? crawl.frontier.dequeuePage() : undefined;
  };
  const acceptResult = async (result: LookUpResult | HostBusy, entry: FrontierEntry): Promise<void> => {
    const reason = result instanceof HostBusy ? result : await planPageRetry(parts, health, entry, result);
    if (reason !== undefined) {
      interruption = selectInterruptionToReport(interruption, reason);
      // If all requests fail, the same pages are requested again before other pages, so that the crawl ends soon.
      if (reason instanceof HostBusy || health.failedRequests >= CONCURRENT_LOOK_UPS) unanswered.push(entry);
      else crawl.frontier.repeatPage(entry);
      if (reason instanceof RetryPostponed && crawl.followsLinks) crawl.unknownLinks.add(entry.documentKey);
    }
    if (reason !== undefined || result instanceof HostBusy) return;
    await settlePage(crawl, entry, result);
    stopReason ??= updateSiteHealth(health, result);
    done += 1;
    parts.onProgress(done, crawl.frontier.pageCount);
  };
  const lookUpEntry = (entry: FrontierEntry, signal: AbortSignal): Promise<LookUpResult | HostBusy> =>
    lookUpPage(parts.lookUps, entry, signal).catch(returnHostBusyOrThrow);
  await processConcurrentlyInOrder(
    { next: dequeueEntry, concurrency: CONCURRENT_LOOK_UPS, process: lookUpEntry, accept: acceptResult },
    parts.signal,
  );
  crawl.frontier.putBackPages(unanswered);
  if (stopReason === undefined && interruption !== undefined) throw interruption;
  return stopReason;
}

/** Returns a HostBusy error, and throws every other error. */
function returnHostBusyOrThrow(error: unknown): HostBusy {
  if (error instanceof HostBusy) return error;
  throw error;
}

/** Plans the retry of a page whose request failed. @returns undefined if the result of the page is final */
async function planPageRetry(
  { retries, signal }: Pick<FrontierParts, 'retries' | 'signal'>,
  health: SiteHealth,
  { documentKey, requestUrl }: FrontierEntry,
  { transientProblem }: LookUpResult,
): Promise<RetryPostponed | undefined> {
  if (transientProblem === undefined) {
    health.recordSuccess(documentKey);
    return undefined;
  }
  const attempts = health.recordFailure(documentKey);
  const delayMs = await planRequestRetry(retries, requestUrl, transientProblem, { attempts, signal });
  return delayMs === undefined ? undefined : new RetryPostponed(transientProblem, delayMs);
}

/**
 * Chooses the interruption to report. A failure takes precedence over a busy host, because users see failures. Of two
 * failures, the one with the longer delay is chosen.
 */
function selectInterruptionToReport(one: Interruption | undefined, other: Interruption): Interruption {
  if (one === undefined || one instanceof HostBusy) return other instanceof HostBusy ? (one ?? other) : other;
  return other instanceof RetryPostponed && other.delayMs > one.delayMs ? other : one;
}

/**
 * Updates the counts of failed and unreadable pages with the result of a page.
 *
 * @returns the reason to end the crawl; undefined to continue
 */
function updateSiteHealth(health: SiteHealth, { transientProblem, record }: LookUpResult): StopReason | undefined {
  health.failedPages = transientProblem === undefined ? 0 : health.failedPages + 1;
  if (isUnreadablePageProblem(record.problem)) health.unreadablePages += 1;
  if (health.unreadablePages >= MAX_UNREADABLE) return 'unreadable';
  return health.failedPages >= MAX_CONSECUTIVE_FAILURES ? 'site_unavailable' : undefined;
}

function isUnreadablePageProblem(problem: Pick<PageProblem, 'code'> | undefined): boolean {
  return problem?.code === 'page_unreadable';
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
export async function processConcurrentlyInOrder<Item, Result>(
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
        // Prevents an unhandled rejection if the work fails before it is awaited.
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
