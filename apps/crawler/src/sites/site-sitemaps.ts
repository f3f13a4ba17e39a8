import { createRunNote, type RunNote } from '@quarry/contracts';
import { normalizeUrl } from '../urls/page-url.js';
import { isSameSite } from '../urls/site-scope.js';
import type { PageProblem } from '../pages/page.js';
import type { RetryParts } from '../pages/visit-url.js';
import type { SitemapEntry } from '../sitemaps/read-sitemap.js';
import { MAX_WAIT_IN_PLACE_MS } from '../politeness/polite-client.js';
import { walkSitemaps, WalkState, type SitemapProblem, type SitemapWalk } from '../sitemaps/walk-sitemaps.js';
import type { Frontier } from './frontier.js';
import type { SiteCrawl } from './settle-page.js';
import { shouldRequestPage } from './should-request-page.js';

export interface SitemapParts {
  readonly retries: RetryParts;
  readonly crawl: Pick<SiteCrawl, 'scope'> & { readonly frontier: Frontier };
  readonly signal: AbortSignal;
  /**
   * Receives the origin of another site whose robots.txt names one of the sitemaps, so that its pages are crawled, too.
   * If absent, pages of other sites are skipped.
   */
  readonly onSiteApproved?: (origin: string) => void;
}

/** Describes the result of reading the sitemaps of a site. */
export interface SitemapPages extends SitemapWalk {
  /** Number of entries of the sitemaps whose page is in the frontier. */
  readonly added: number;
  /** Number of pages of other sites that the sitemaps list and the crawl skips. */
  readonly foreign: number;
  readonly foreignExample: string | undefined;
  /** The document keys of the first 100 pages that the sitemaps list but that are not in scope. */
  readonly outOfScope: readonly string[];
}

/** Maximum number of pages of other sites that are stored until the robots.txt files of those sites are read. */
const MAX_FOREIGN = 100_000;
const MAX_FOREIGN_SITES = 20;
const MAX_OUT_OF_SCOPE = 100;

/** Holds the progress of reading the sitemaps of a site. An interrupted crawl resumes from it. */
export interface SitemapProgress {
  readonly urls: readonly string[];
  readonly walk: WalkState;
  readonly foreign: SitemapEntry[];
  readonly keysOutOfScope: string[];
  added: number;
}

export function createSitemapProgress(urls: readonly string[]): SitemapProgress {
  return { urls, walk: new WalkState(urls), foreign: [], keysOutOfScope: [], added: 0 };
}

/**
 * Adds the pages that a site's sitemaps list to the frontier. If it throws, a later call with the same progress
 * continues.
 *
 * @throws HostBusy, RetryPostponed, the signal's reason
 */
export async function addSitemapPages(
  parts: SitemapParts,
  progress: SitemapProgress,
  depth: number,
): Promise<SitemapPages> {
  const { crawl, retries, signal } = parts;
  const { urls: sitemapUrls, walk, foreign, keysOutOfScope } = progress;
  const addPage = ({ url, modified }: SitemapEntry): boolean => {
    if (crawl.frontier.addPage({ requestUrl: url, depth, redirects: 0, sitemapModified: modified }))
      progress.added += 1;
    return crawl.frontier.keysOverLimit.size === 0;
  };
  const onPage = (entry: SitemapEntry, sitemap: string): boolean => {
    if (shouldRequestPage(crawl, entry.url)) return addPage(entry);
    if (!isSameSite(entry.url, sitemap) && foreign.length < MAX_FOREIGN) foreign.push(entry);
    else if (keysOutOfScope.length < MAX_OUT_OF_SCOPE) keysOutOfScope.push(normalizeUrl(entry.url));
    return true;
  };
  await walkSitemaps({ ...retries, signal, onPage }, walk);
  if (parts.onSiteApproved !== undefined)
    await findSitesThatApproveSitemaps(parts, foreign, sitemapUrls, parts.onSiteApproved);
  const rejected = foreign.filter((entry) => !shouldRequestPage(crawl, entry.url));
  for (const entry of foreign) if (shouldRequestPage(crawl, entry.url)) addPage(entry);
  const outOfScope = [
    ...rejected.slice(0, MAX_OUT_OF_SCOPE).map(({ url }) => normalizeUrl(url)),
    ...keysOutOfScope,
  ].slice(0, MAX_OUT_OF_SCOPE);
  const { problems, read } = walk;
  const { added } = progress;
  return { problems, read, added, foreign: rejected.length, foreignExample: rejected[0]?.url, outOfScope };
}

/**
 * Finds the other sites whose robots.txt names one of the sitemaps, and passes their origins to `onSiteApproved`. The
 * sitemap may then list pages of that other site (sitemaps.org, "Sitemaps & Cross Submits").
 */
async function findSitesThatApproveSitemaps(
  { retries: { client }, signal }: Pick<SitemapParts, 'retries' | 'signal'>,
  foreign: readonly SitemapEntry[],
  sitemaps: readonly string[],
  onSiteApproved: (origin: string) => void,
): Promise<void> {
  const origins = [...new Set(foreign.map((entry) => new URL(entry.url).origin))].slice(0, MAX_FOREIGN_SITES);
  for (const origin of origins) {
    const robots = await client.getRobots(`${origin}/`, { signal, maxWaitMs: MAX_WAIT_IN_PLACE_MS });
    const named = robots.reachable ? robots.rules.sitemaps : [];
    if (named.some((sitemap) => sitemaps.includes(URL.parse(sitemap, origin)?.href ?? ''))) onSiteApproved(origin);
  }
}

/** Returns the URLs of the sitemaps that robots.txt declares; if there are none, the default URL `/sitemap.xml`. */
export async function findSitemapUrls(
  { retries: { client }, signal }: Pick<SitemapParts, 'retries' | 'signal'>,
  root: string,
): Promise<{ readonly urls: readonly string[]; readonly areDeclared: boolean }> {
  const robots = await client.getRobots(root, { signal, maxWaitMs: MAX_WAIT_IN_PLACE_MS });
  const named = (robots.reachable ? robots.rules.sitemaps : []).flatMap(
    (sitemap) => URL.parse(sitemap, root)?.href ?? [],
  );
  const urls = named.filter((sitemap) => /^https?:/.test(sitemap));
  if (urls.length > 0) return { urls, areDeclared: true };
  return { urls: [new URL('/sitemap.xml', root).href], areDeclared: false };
}

/** Selects the sitemap problems to report. A missing sitemap at the default URL is not a problem. */
export function selectProblemsToReport(walk: SitemapWalk, isDefaultLocation: boolean): readonly SitemapProblem[] {
  return isDefaultLocation ? walk.problems.filter(({ problem }) => problem.transient || walk.read > 0) : walk.problems;
}

export function describeSitemapProblems(problems: readonly SitemapProblem[]): RunNote | undefined {
  const [first, ...more] = problems;
  if (first === undefined) return undefined;
  const { url, problem } = first;
  const { length: others } = more;
  const andMore = others === 0 ? '' : ` (and ${others} more)`;
  const message = `The sitemap ${url} could not be read completely${andMore}: ${problem.message}.`;
  return createRunNote('sitemap_incomplete', { url, others, code: problem.code, reason: problem.message }, message);
}

/** Converts the problem of reading a sitemap into the problem with which the crawl of the site fails. */
export function createSiteProblemOfSitemap(url: string, problem: PageProblem): PageProblem {
  const code = CODES_OF_UNREADABLE_SITEMAP.has(problem.code) ? 'sitemap_unreadable' : problem.code;
  return { ...problem, code, message: `the sitemap ${url} could not be read: ${problem.message}` };
}

/** Lists the codes of page problems for which `createSiteProblemOfSitemap` returns `sitemap_unreadable`. */
const CODES_OF_UNREADABLE_SITEMAP = new Set([
  'not_found',
  'gone',
  'access_denied',
  'fetch_failed',
  'sitemap_unreadable',
  'too_many_redirects',
]);
