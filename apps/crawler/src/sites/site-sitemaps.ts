import { createRunNote, type RunNote, normalizeUrl } from '@quarry/contracts';
import { isSameSite } from '../urls/site-scope.js';
import { createRobotsProblem, type PageProblem } from '../pages/page.js';
import { planRequestRetry, RetryPostponed, type RetryParts } from '../pages/visit-url.js';
import type { SitemapEntry } from '../sitemaps/read-sitemap.js';
import { MAX_WAIT_IN_PLACE_MS } from '../politeness/polite-client.js';
import { walkSitemaps, WalkState, type SitemapProblem, type SitemapWalk } from '../sitemaps/walk-sitemaps.js';
import type { Frontier } from './frontier.js';
import type { SiteCrawl } from './settle-page.js';
import { shouldRequestPage } from './should-request-page.js';

export interface SitemapParts {
  readonly retries: RetryParts;
  readonly crawl: Pick<SiteCrawl, 'scope' | 'records'> & { readonly frontier: Frontier };
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
/** Maximum number of page records that are read to determine whether an earlier run has requested pages of a site. */
const MAX_CHECKED_RECORDS = 20;
const MAX_OUT_OF_SCOPE = 100;

/** Holds the progress of reading the sitemaps of a site. An interrupted crawl resumes from it. */
export interface SitemapProgress {
  readonly urls: readonly string[];
  readonly walk: WalkState;
  /** The pages of other sites, keyed by URL. */
  readonly foreign: Map<string, SitemapEntry>;
  readonly keysOutOfScope: Set<string>;
  /** Number of failed requests for the robots.txt of other sites, keyed by origin. Infinity after the last attempt. */
  readonly robotsFailures: Map<string, number>;
  added: number;
}

export function createSitemapProgress(urls: readonly string[]): SitemapProgress {
  const created = { foreign: new Map(), keysOutOfScope: new Set<string>(), robotsFailures: new Map() };
  return { urls, walk: new WalkState(urls), ...created, added: 0 };
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
  const { walk, foreign, keysOutOfScope } = progress;
  const addPage = ({ url, modified }: SitemapEntry): boolean => {
    if (crawl.frontier.addPage({ requestUrl: url, depth, redirects: 0, sitemapModified: modified }))
      progress.added += 1;
    return crawl.frontier.keysOverLimit.size === 0;
  };
  const onPage = (entry: SitemapEntry, sitemap: string): boolean => {
    if (shouldRequestPage(crawl, entry.url)) return addPage(entry);
    if (!isSameSite(entry.url, sitemap) && foreign.size < MAX_FOREIGN) foreign.set(entry.url, entry);
    else if (keysOutOfScope.size < MAX_OUT_OF_SCOPE) keysOutOfScope.add(normalizeUrl(entry.url));
    return true;
  };
  await walkSitemaps({ ...retries, signal, onPage }, walk);
  if (parts.onSiteApproved !== undefined) await findSitesThatApproveSitemaps(parts, progress, parts.onSiteApproved);
  const rejected = [...foreign.values()].filter((entry) => !shouldRequestPage(crawl, entry.url));
  for (const entry of foreign.values()) if (shouldRequestPage(crawl, entry.url)) addPage(entry);
  const rejectedKeys = rejected.slice(0, MAX_OUT_OF_SCOPE).map(({ url }) => normalizeUrl(url));
  // Another spelling of the URL, for example one without tracking parameters, can be in scope.
  const outOfScope = [...rejectedKeys, ...keysOutOfScope]
    .filter((key) => !crawl.frontier.hasPage(key) && !shouldRequestPage(crawl, key))
    .slice(0, MAX_OUT_OF_SCOPE);
  const { problems, read } = walk;
  const { added } = progress;
  return { problems, read, added, foreign: rejected.length, foreignExample: rejected[0]?.url, outOfScope };
}

/**
 * Finds the other sites whose robots.txt names one of the sitemaps, and passes their origins to `onSiteApproved`. The
 * sitemap may then list pages of that other site (sitemaps.org, "Sitemaps & Cross Submits"). If that robots.txt is
 * unreachable and an earlier run has requested pages of the site, the last attempt adds a problem to the walk. The
 * crawl then ends incomplete, so that these pages are not removed.
 *
 * @throws HostBusy, RetryPostponed, the signal's reason
 */
async function findSitesThatApproveSitemaps(
  parts: SitemapParts,
  progress: SitemapProgress,
  onSiteApproved: (origin: string) => void,
): Promise<void> {
  const { retries, signal } = parts;
  const sitemapUrls = new Set(progress.urls);
  const origins = [...new Set([...progress.foreign.keys()].map((url) => new URL(url).origin))];
  for (const origin of origins.slice(0, MAX_FOREIGN_SITES)) {
    const robots = await retries.client.getRobots(`${origin}/`, { signal, maxWaitMs: MAX_WAIT_IN_PLACE_MS });
    if (!robots.reachable) {
      const problem = createRobotsProblem({ ...robots, message: `${origin}/robots.txt: ${robots.message}` });
      if (await hasRecordedPage(parts, progress, origin)) await retryRobots(parts, progress, origin, problem);
    } else if (robots.rules.sitemaps.some((sitemap) => sitemapUrls.has(URL.parse(sitemap, origin)?.href ?? ''))) {
      onSiteApproved(origin);
    }
  }
}

/** Returns whether an earlier run has requested one of the first pages that the sitemaps list for a site. */
async function hasRecordedPage(
  { crawl }: SitemapParts,
  { foreign }: SitemapProgress,
  origin: string,
): Promise<boolean> {
  const urls = [...foreign.keys()].filter((url) => new URL(url).origin === origin).slice(0, MAX_CHECKED_RECORDS);
  const records = await Promise.all(urls.map((url) => crawl.records.read(normalizeUrl(url))));
  return records.some((record) => record !== undefined);
}

/** Postpones the crawl until robots.txt can be requested again. Adds the problem to the walk after the last attempt. */
async function retryRobots(
  { retries, signal }: SitemapParts,
  { urls, walk, robotsFailures }: SitemapProgress,
  origin: string,
  problem: PageProblem,
): Promise<void> {
  const attempts = (robotsFailures.get(origin) ?? 0) + 1;
  if (attempts === Infinity) return;
  const delayMs = await planRequestRetry(retries, `${origin}/`, problem, { attempts, signal });
  robotsFailures.set(origin, delayMs === undefined ? Infinity : attempts);
  if (delayMs !== undefined) throw new RetryPostponed(problem, delayMs);
  walk.problems.push({ url: urls[0] ?? origin, problem });
}

/**
 * Returns the URLs of the sitemaps that robots.txt declares; if there are none, the default URL `/sitemap.xml`, for
 * which `areDeclared` is false.
 */
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
