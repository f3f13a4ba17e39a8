import { createRunNote, type CrawlSite, type RunNote, parsePageUrl } from '@quarry/contracts';
import { createPageProblem, type PageProblem } from '../pages/page.js';
import { createSiteScope, isSameSite, type ScopeRules, type SiteScope } from '../urls/site-scope.js';
import {
  acceptPage,
  storePage,
  type SiteCrawl,
  recordUnrequestedPages,
  settleRedirectLoops,
  settleDeferredPages,
  type SiteDocuments,
} from './settle-page.js';
import {
  addSitemapPages,
  createSitemapProgress,
  describeSitemapProblems,
  findSitemapUrls,
  selectProblemsToReport,
  createSiteProblemOfSitemap,
  type SitemapPages,
} from './site-sitemaps.js';
import type { SiteRoot, SiteState } from './site-state.js';
import { createFrontierEntry, DuplicatePages, Frontier, type FrontierLimits } from './frontier.js';
import { lookUpPage, type LookUpParts } from './look-up-page.js';
import { crawlFrontier, type FrontierParts, type StopReason } from './crawl-frontier.js';
import { RepeatedBlocks } from './repeated-blocks.js';

/** Holds the job, dependencies and limits of a crawl. */
export interface SiteParts extends FrontierParts {
  readonly job: CrawlSite;
  readonly pages: SiteDocuments;
  /** Holds the findings of this and earlier starts of the crawl. */
  readonly state: SiteState;
  readonly limits: FrontierLimits;
}

/** Holds the result of a crawl, or the reason why the pages of the site could not be crawled. */
export type CrawlResult =
  | {
      /** True if the crawl found all pages, so that pages that were not found no longer exist. */
      readonly complete: boolean;
      /** Notes for the user about pages that the crawl may have missed. */
      readonly notes: readonly RunNote[];
    }
  | { readonly problem: PageProblem };

/** Crawls the pages that the sitemaps of a site list, and the pages that can be reached by links from its root page. */
export async function crawlFromRoot(parts: SiteParts, rootUrl: string): Promise<CrawlResult> {
  const { job, lookUps, signal, state } = parts;
  const start = parsePageUrl(rootUrl);
  if (start === undefined) return { problem: createPageProblem('invalid_url', { found: rootUrl }) };
  const found = state.root === undefined ? await lookUpRootPage(lookUps, start, job, signal) : { root: state.root };
  if ('problem' in found) return found;
  state.root = found.root;
  const crawl = openSiteCrawl(parts, found.root.scope, true);
  state.notes ??= await addStartPagesToFrontier(parts, crawl, found.root);
  return finishCrawl(parts, crawl, state.notes);
}

/** Adds the pages of sitemaps and the links of the root to the frontier. @returns notes about unread sitemaps */
async function addStartPagesToFrontier(
  parts: SiteParts,
  crawl: SiteCrawl,
  { requestUrl, result }: SiteRoot,
): Promise<readonly RunNote[]> {
  const isFirst = crawl.frontier.pageCount === 0;
  const root = createFrontierEntry({ requestUrl, depth: 0, redirects: 0 });
  crawl.frontier.addPage(root);
  // The root was already looked up, so the crawl must not request it again.
  if (isFirst) crawl.frontier.dequeuePage();
  const notes = parts.limits.maxDepth > 0 ? await addPagesOfSitemaps(parts, crawl, requestUrl) : [];
  await storePage(crawl, acceptPage(crawl, root, result));
  return notes;
}

/**
 * Adds the pages of sitemaps to the frontier. Call it before the links of the root page are added: a page keeps its
 * first entry, and only entries of sitemaps have modification dates.
 */
async function addPagesOfSitemaps(parts: SiteParts, crawl: SiteCrawl, root: string): Promise<readonly RunNote[]> {
  const { state } = parts;
  const { urls, areDeclared } = await findSitemapUrls(parts, root);
  state.sitemaps ??= createSitemapProgress(urls);
  const pages = await addSitemapPages({ ...parts, crawl }, state.sitemaps, 1);
  const note = describeSitemapProblems(selectProblemsToReport(pages, !areDeclared));
  return note === undefined ? [] : [note];
}

type RootFound = { readonly root: SiteRoot } | { readonly problem: PageProblem };

const MAX_REDIRECTS = 5;
/** Lists the problem codes with which a root page does not end the crawl, because its links can be followed. */
const TOLERATED_PROBLEMS = new Set([
  'noindex',
  'soft_404',
  'login_page',
  'needs_rendering',
  'no_text_found',
  'page_unreadable',
]);

/** Looks up the root page of a site and follows its redirects. The last URL can determine the scope of the site. */
async function lookUpRootPage(
  parts: LookUpParts,
  start: string,
  rules: ScopeRules,
  signal: AbortSignal,
): Promise<RootFound> {
  let requestUrl = start;
  for (const seen = new Set<string>(); seen.size <= MAX_REDIRECTS;) {
    seen.add(requestUrl);
    const result = await lookUpPage(parts, createFrontierEntry({ requestUrl, depth: 0, redirects: 0 }), signal);
    const { redirectTo, problem: found } = result.record;
    const isLoginRedirect = found?.code === 'login_page' && requestUrl !== start;
    if (
      result.record.found === 'problem' &&
      found !== undefined &&
      (isLoginRedirect || !TOLERATED_PROBLEMS.has(found.code))
    ) {
      return { problem: result.transientProblem ?? { ...found, transient: false } };
    }
    if (result.record.found !== 'redirect' || redirectTo === undefined) {
      return { root: { requestUrl, result, scope: createSiteScope(chooseSiteUrl(start, requestUrl), rules) } };
    }
    if (seen.has(redirectTo)) return { problem: createPageProblem('redirect_loop', { found: redirectTo }) };
    requestUrl = redirectTo;
  }
  return { problem: createPageProblem('too_many_redirects', { found: `more than ${MAX_REDIRECTS}` }) };
}

/**
 * Returns the URL whose directory is the scope of the site. This is `finalUrl` if the redirects only added a slash or
 * led out of the directory of `start`, otherwise `start`.
 */
function chooseSiteUrl(start: string, finalUrl: string): string {
  const [startPath, finalPath] = [new URL(start).pathname, new URL(finalUrl).pathname];
  if (finalPath === `${startPath}/`) return finalUrl;
  return isSameSite(start, finalUrl) && createSiteScope(start, {}).includes(finalUrl) ? start : finalUrl;
}

/** Crawls the pages that a sitemap lists. Does not follow their links. */
export async function crawlBySitemap(parts: SiteParts, sitemap: string): Promise<CrawlResult> {
  const { job, state } = parts;
  const url = URL.parse(sitemap)?.href;
  if (url === undefined) return { problem: createPageProblem('invalid_url', { found: sitemap }) };
  const sites = (state.scopes ??= [createSiteScope(new URL('/', url).href, job)]);
  const scope: SiteScope = { includes: (page) => sites.some((site) => site.includes(page)) };
  const crawl = openSiteCrawl(parts, scope, false);
  const onSiteApproved = (origin: string): void => void sites.push(createSiteScope(`${origin}/`, job));
  state.sitemaps ??= createSitemapProgress([url]);
  const pages = (state.sitemapPages ??= await addSitemapPages({ ...parts, crawl, onSiteApproved }, state.sitemaps, 0));
  const [first] = pages.problems;
  if (first !== undefined && pages.added === 0)
    return { problem: createSiteProblemOfSitemap(first.url, first.problem) };
  if (pages.added === 0) return { problem: createProblemOfEmptySitemap(url, pages) };
  if (state.notes === undefined) await recordUnrequestedPages(crawl, pages.outOfScope, 'out_of_scope', parts.signal);
  const note = describeSitemapProblems(pages.problems);
  state.notes = note === undefined ? [] : [note];
  const crawled = await finishCrawl(parts, crawl, state.notes);
  return 'problem' in crawled
    ? crawled
    : { ...crawled, notes: [...crawled.notes, ...describePagesOfOtherSites(pages)] };
}

function createProblemOfEmptySitemap(url: string, pages: SitemapPages): PageProblem {
  const foreign = describePagesOfOtherSites(pages).map((note) => note.message);
  const message = [`expected pages to index in the sitemap ${url}, found none`, ...foreign].join('. ');
  return { outcome: 'failed', code: 'sitemap_empty', message, transient: false };
}

function describePagesOfOtherSites({ foreign: pages, foreignExample: example }: SitemapPages): readonly RunNote[] {
  if (example === undefined) return [];
  const message =
    pages === 1
      ? `A page of another site, ${example}, was skipped.`
      : `${pages} pages of other sites, such as ${example}, were skipped.`;
  return [createRunNote('foreign_pages_skipped', { pages, example }, message)];
}

/** Returns the crawl of the previous start, or creates one if there is none. Stores it in the state. */
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
 * Crawls until the frontier is empty or the crawl must end early, and settles the deferred pages.
 *
 * @param notes notes about unread sitemaps
 * @throws HostBusy, RetryPostponed, the signal's reason
 */
export async function finishCrawl(parts: SiteParts, crawl: SiteCrawl, notes: readonly RunNote[]): Promise<CrawlResult> {
  const { limits, signal } = parts;
  const stopReason = await crawlFrontier(parts, crawl, parts.state.health);
  await settleDeferredPages(crawl, signal);
  await settleRedirectLoops(crawl);
  await recordUnrequestedPages(crawl, crawl.frontier.keysOverLimit, 'limit_reached', signal);
  const gaps = [...notes, ...describeUncrawledPages(crawl, limits, stopReason)];
  return { complete: gaps.length === 0, notes: gaps };
}

function describeUncrawledPages(
  { frontier, unknownLinks }: SiteCrawl,
  { maxPages: limit }: FrontierLimits,
  stopReason: StopReason | undefined,
): readonly RunNote[] {
  const { size: pages } = unknownLinks;
  const [example] = unknownLinks;
  const limitNote = createRunNote(
    'page_limit_reached',
    { limit },
    `The site has more pages than the limit of ${limit}.`,
  );
  return [
    ...(frontier.keysOverLimit.size > 0 ? [limitNote] : []),
    ...(stopReason === undefined ? [] : [STOP_NOTES[stopReason]]),
    ...(example === undefined ? [] : [createUnknownLinksNote(pages, example)]),
  ];
}

function createUnknownLinksNote(pages: number, example: string): RunNote {
  const message =
    pages === 1
      ? `The page ${example} could not be fetched. Its links are unknown.`
      : `${pages} pages could not be fetched, such as ${example}. Their links are unknown.`;
  return createRunNote('pages_not_fetched', { pages, example }, message);
}

const STOP_NOTES: Readonly<Record<StopReason, RunNote>> = {
  out_of_time: createRunNote('crawl_out_of_time', {}, 'The crawl exceeded its time limit.'),
  site_unavailable: createRunNote('site_stopped_responding', {}, 'The site stopped responding.'),
  unreadable: createRunNote(
    'extraction_limit_reached',
    {},
    'Too many pages exceeded the time or memory limit of extraction.',
  ),
};
