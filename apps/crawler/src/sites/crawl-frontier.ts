import type { PageProblem } from '../pages/page.js';
import { RetryPostponed, planRequestRetry, type RetryParts } from '../pages/visit-url.js';
import { HostBusy } from '../politeness/host-rate-limiter.js';
import type { FrontierEntry } from './frontier.js';
import { lookUpPage, type LookUpParts, type LookUpResult } from './look-up-page.js';
import { processInOrder, type StoreResult } from './process-in-order.js';
import { acceptPage, CONCURRENT_PAGES, storePage, type SiteCrawl } from './settle-page.js';
import type { SiteHealth } from './site-state.js';

/**
 * Number of consecutive failed pages at which the site counts as unavailable. All three attempts for each page have
 * failed.
 */
const MAX_CONSECUTIVE_FAILURES = 10;
/**
 * Number of unreadable pages at which the crawl ends. Each of these pages exceeds the time or memory limit of
 * extraction, and blocks a thread that other crawls need.
 */
const MAX_UNREADABLE = 20;

export interface FrontierParts {
  readonly lookUps: LookUpParts;
  readonly retries: RetryParts;
  readonly signal: AbortSignal;
  /** The time at which the crawl ends even if pages remain, in milliseconds since 1970. */
  readonly deadline: number;
  readonly onProgress: (done: number, total: number) => void;
}

/** Explains why a crawl ended early. `unreadable`: too many pages exceeded the limits of extraction. */
export type StopReason = 'out_of_time' | 'site_unavailable' | 'unreadable';

/** Explains why a crawl is interrupted and must continue later. */
type Interruption = HostBusy | RetryPostponed;

/**
 * Crawls the pages of the frontier until it is empty. After a failed request, or when a host is busy, no further
 * request starts. The requests in progress end, and pages whose request must be repeated return to the frontier. All
 * other pages are stored.
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
  const acceptResult = async (
    result: LookUpResult | HostBusy,
    entry: FrontierEntry,
  ): Promise<StoreResult | undefined> => {
    const reason = result instanceof HostBusy ? result : await planPageRetry(parts, health, entry, result);
    if (reason !== undefined) {
      interruption = selectInterruptionToReport(interruption, reason);
      // If all requests fail, the same pages are requested again before other pages, so that the crawl ends soon.
      if (reason instanceof HostBusy || health.failedRequests >= CONCURRENT_PAGES) unanswered.push(entry);
      else crawl.frontier.repeatPage(entry);
      if (reason instanceof RetryPostponed && crawl.followsLinks) crawl.unknownLinks.add(entry.documentKey);
    }
    if (reason !== undefined || result instanceof HostBusy) return undefined;
    const page = acceptPage(crawl, entry, result);
    stopReason ??= updateSiteHealth(health, result);
    return async () => {
      await storePage(crawl, page);
      done += 1;
      parts.onProgress(done, crawl.frontier.pageCount);
    };
  };
  const lookUpEntry = (entry: FrontierEntry, signal: AbortSignal): Promise<LookUpResult | HostBusy> =>
    lookUpPage(parts.lookUps, entry, signal).catch(returnHostBusyOrThrow);
  await processInOrder(
    { next: dequeueEntry, concurrency: CONCURRENT_PAGES, process: lookUpEntry, accept: acceptResult },
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
 * Selects one of two interruptions to report. A failed request takes precedence over a busy host, because users see
 * failures. Of two failures, the one with the longer delay is selected.
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
