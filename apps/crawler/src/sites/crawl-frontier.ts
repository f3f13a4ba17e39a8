import type { PageProblem } from '../pages/page.js';
import { MAX_RETRY_WAIT_MS } from '../pages/visit-with-retries.js';
import type { FrontierEntry } from './frontier.js';
import { processInOrder } from './process-in-order.js';
import { lookUp, type Finding, type LookUpParts } from './look-up.js';
import { settleFinding, type SiteCrawl } from './settle-finding.js';

/** Looked up at the same time. Requests wait for their host's turn; what is known already is read at this pace. */
const WIDTH = 8;
/** Pages one after the other that could not be had, each after three tries: the site is out of order. */
const MAX_FAILURES_RUNNING = 10;
/** Each may have taken a thread for as long as a page may take, which other sites wait for. */
const MAX_UNREADABLE = 20;

export interface FrontierParts {
  readonly lookUps: LookUpParts;
  readonly signal: AbortSignal;
  /** When the crawl must end, in milliseconds since 1970. */
  readonly until: number;
  readonly progressed: (done: number, total: number) => void;
  /** Told when the server wants to be left alone for longer than a crawl waits. May throw, to come back then. */
  readonly onBusy: (problem: PageProblem) => void;
}

/** Why a crawl ended before it had seen everything. */
export type Stopped = 'out_of_time' | 'site_out_of_order' | 'unreadable';

/** Looks up everything in the frontier, and what that leads to. @returns undefined when nothing is left */
export async function crawlFrontier(parts: FrontierParts, crawl: SiteCrawl): Promise<Stopped | undefined> {
  let stopped: Stopped | undefined;
  let failures = 0;
  let unreadable = 0;
  let done = crawl.frontier.taken;
  const next = (): FrontierEntry | undefined => {
    if (stopped === undefined && parts.lookUps.visits.now() > parts.until) stopped = 'out_of_time';
    return stopped === undefined ? crawl.frontier.next() : undefined;
  };
  const work = (entry: FrontierEntry, signal: AbortSignal): Promise<Finding> => lookUp(parts.lookUps, entry, signal);
  const takeIn = async (finding: Finding, entry: FrontierEntry): Promise<void> => {
    if ((finding.passing?.retryAfterMs ?? 0) > MAX_RETRY_WAIT_MS && finding.passing !== undefined)
      parts.onBusy(finding.passing);
    await settleFinding(crawl, entry, finding);
    failures = finding.passing === undefined ? 0 : failures + 1;
    if (failures >= MAX_FAILURES_RUNNING) stopped = 'site_out_of_order';
    if (finding.record.problem?.code === 'page_unreadable') unreadable += 1;
    if (unreadable >= MAX_UNREADABLE) stopped = 'unreadable';
    done += 1;
    parts.progressed(done, crawl.frontier.size);
  };
  await processInOrder({ next, concurrency: WIDTH, process: work, accept: takeIn }, parts.signal);
  return stopped;
}
