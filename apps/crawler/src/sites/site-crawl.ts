import type { CrawlSite } from '@quarry/contracts';
import type { SiteScope } from '../urls/site-scope.js';
import type { PageProblem } from '../pages/page.js';
import { crawlFrontier, type FrontierParts, type StopReason } from './crawl-frontier.js';
import { DuplicatePages, Frontier, type FrontierLimits } from './frontier.js';
import { RepeatedBlocks } from './repeated-blocks.js';
import { recordUnrequestedPages, settleRedirectLoops, settleDeferredPages, type SiteCrawl } from './settle-page.js';
import type { SiteDocuments } from './site-documents.js';
import type { SiteState } from './site-state.js';

/** Holds the job, dependencies and limits of a crawl. */
export interface SiteParts extends FrontierParts {
  readonly job: CrawlSite;
  readonly pages: SiteDocuments;
  /** Holds the findings of earlier starts. */
  readonly state: SiteState;
  readonly limits: FrontierLimits;
}

/** Holds the result of a crawl, or the reason why the site could not be crawled. */
export type CrawlResult =
  | {
      /** True if the crawl found all pages. Pages that it did not find were removed from the site. */
      readonly complete: boolean;
      /** Sentences for the user about pages that were not found. */
      readonly notes: readonly string[];
    }
  | { readonly problem: PageProblem };

/** Returns the crawl that an earlier start has parked, or creates one. */
export function openSiteCrawl(
  { state, lookUps: { records }, pages, limits }: SiteParts,
  scope: SiteScope,
  followsLinks: boolean,
): SiteCrawl {
  const { isRestart, retained } = state;
  const created = {
    ...{ scope, followsLinks, frontier: new Frontier(limits), duplicates: new DuplicatePages() },
    ...{ redirects: new Map(), unknownLinks: new Set<string>(), repeatedBlocks: new RepeatedBlocks() },
  };
  state.crawl = { ...(state.crawl ?? created), records, retained, isRestart, pages };
  return state.crawl;
}

/**
 * Crawls until the frontier is empty, and settles the deferred pages.
 *
 * @param notes sentences about pages that were not found
 * @throws HostBusy, RetryPostponed, the signal's reason
 */
export async function finishCrawl(parts: SiteParts, crawl: SiteCrawl, notes: readonly string[]): Promise<CrawlResult> {
  const { limits } = parts;
  const stopReason = await crawlFrontier(parts, crawl, parts.state.health);
  await settleDeferredPages(crawl);
  await settleRedirectLoops(crawl);
  await recordUnrequestedPages(crawl, crawl.frontier.keysOverLimit, 'limit_reached');
  const gaps = [...notes, ...describeGaps(crawl, limits, stopReason)];
  return { complete: gaps.length === 0, notes: gaps };
}

function describeGaps(
  { frontier, unknownLinks }: SiteCrawl,
  { maxPages }: FrontierLimits,
  stopReason: StopReason | undefined,
): readonly string[] {
  const [unknown] = unknownLinks;
  return [
    ...(frontier.keysOverLimit.size > 0 ? [`The site has more pages than the limit of ${maxPages}.`] : []),
    ...(stopReason === undefined ? [] : [STOP_NOTES[stopReason]]),
    ...(unknown === undefined
      ? []
      : [`${unknownLinks.size} pages could not be fetched, such as ${unknown}. Their links are unknown.`]),
  ];
}

const STOP_NOTES: Readonly<Record<StopReason, string>> = {
  out_of_time: 'The crawl exceeded its time limit.',
  site_unavailable: 'The site stopped responding.',
  unreadable: 'Too many pages exceeded the time or memory limit of extraction.',
};
