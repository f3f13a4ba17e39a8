import type { CrawlSite } from '@quarry/contracts';
import type { SiteScope } from '../addresses/site-scope.js';
import type { PageProblem } from '../pages/page.js';
import type { RetryParts } from '../pages/visit-with-retries.js';
import { Copies } from './copies.js';
import { crawlFrontier, type FrontierParts, type Stopped } from './crawl-frontier.js';
import { Frontier, type FrontierLimits } from './frontier.js';
import type { KeptPages } from './kept-pages.js';
import { nameLeftOut, settleCircles, settleDeferred, type SiteCrawl } from './settle-finding.js';
import type { SiteDocuments } from './site-documents.js';

/** What a site is crawled with. */
export interface SiteParts extends FrontierParts {
  readonly job: CrawlSite;
  readonly patience: RetryParts;
  readonly pages: SiteDocuments;
  /** Filled by the crawl. */
  readonly kept: KeptPages;
  readonly isTakenOver: boolean;
  readonly limits: FrontierLimits;
}

/** What came of a crawl, or why there was none. */
export type Crawled =
  | {
      /** Whether a page that was not named is gone. */
      readonly complete: boolean;
      /** What a person should know, in sentences. */
      readonly notes: readonly string[];
    }
  | { readonly problem: PageProblem };

export function newSiteCrawl(
  parts: SiteParts,
  scope: SiteScope,
  followsLinks: boolean,
  limits: FrontierLimits,
): SiteCrawl {
  return {
    scope,
    followsLinks,
    frontier: new Frontier(limits),
    copies: new Copies(),
    records: parts.lookUps.records,
    kept: parts.kept,
    isTakenOver: parts.isTakenOver,
    pages: parts.pages,
    redirects: new Map(),
    unknownLinks: new Set(),
  };
}

/** Crawls what is in the frontier to its end. @param notes what is known to be missing already */
export async function finishCrawl(
  parts: SiteParts,
  crawl: SiteCrawl,
  limits: FrontierLimits,
  notes: readonly string[],
): Promise<Crawled> {
  const stopped = await crawlFrontier(parts, crawl);
  await settleDeferred(crawl);
  await settleCircles(crawl);
  await nameLeftOut(crawl, crawl.frontier.turnedAway, 'limit_reached');
  const missing = [...notes, ...missed(crawl, limits, stopped)];
  return { complete: missing.length === 0, notes: missing };
}

function missed(
  { frontier, unknownLinks }: SiteCrawl,
  { maxPages }: FrontierLimits,
  stopped: Stopped | undefined,
): readonly string[] {
  const [unknown] = unknownLinks;
  return [
    ...(frontier.turnedAway.size > 0 ? [`There are more pages than the limit of ${maxPages}.`] : []),
    ...(stopped === undefined ? [] : [WHY_STOPPED[stopped]]),
    ...(unknown === undefined
      ? []
      : [`${unknownLinks.size} pages could not be had, such as ${unknown}: where they lead is not known.`]),
  ];
}

const WHY_STOPPED: Readonly<Record<Stopped, string>> = {
  out_of_time: 'The crawl took longer than it may.',
  site_out_of_order: 'The site stopped answering.',
  unreadable: 'Too many of its pages could not be read in the time that a page may take.',
};
