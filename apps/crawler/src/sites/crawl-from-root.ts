import { parsePageUrl } from '../urls/normalize-url.js';
import { createProblem } from '../pages/page-problems.js';
import { createSiteScope, isSameSite, type ScopeRules } from '../urls/site-scope.js';
import type { PageProblem } from '../pages/page.js';
import { settlePage, type SiteCrawl } from './settle-page.js';
import { type CrawlResult, finishCrawl, openSiteCrawl, type SiteParts } from './site-crawl.js';
import {
  addSitemapPages,
  createSitemapProgress,
  describeProblems,
  findSitemaps,
  selectRelevantProblems,
} from './site-sitemaps.js';
import type { SiteRoot } from './site-state.js';
import { createFrontierEntry } from './frontier.js';
import { lookUpPage, type LookUpParts } from './look-up-page.js';

/** Crawls a site from its root page: the pages that its sitemaps list and the pages that are linked. */
export async function crawlFromRoot(parts: SiteParts, rootUrl: string): Promise<CrawlResult> {
  const { job, lookUps, signal, state } = parts;
  const start = parsePageUrl(rootUrl);
  if (start === undefined) return { problem: createProblem('invalid_url', { found: rootUrl }) };
  const found = state.root === undefined ? await findRootPage(lookUps, start, job, signal) : { root: state.root };
  if ('problem' in found) return found;
  state.root = found.root;
  const crawl = openSiteCrawl(parts, found.root.scope, true);
  state.notes ??= await startFrontier(parts, crawl, found.root);
  return finishCrawl(parts, crawl, state.notes);
}

/** Adds the pages of sitemaps and the links of the root to the frontier. @returns sentences about pages that were not found */
async function startFrontier(
  parts: SiteParts,
  crawl: SiteCrawl,
  { requestUrl, result }: SiteRoot,
): Promise<readonly string[]> {
  const isFirst = crawl.frontier.pageCount === 0;
  const root = createFrontierEntry({ requestUrl, depth: 0, redirects: 0 });
  crawl.frontier.addPage(root);
  // The root was looked up before.
  if (isFirst) crawl.frontier.takeNext();
  const notes = parts.limits.maxDepth > 0 ? await addSitemaps(parts, crawl, requestUrl) : [];
  await settlePage(crawl, root, result);
  return notes;
}

/** Adds the pages of sitemaps to the frontier. Called before the links of the root, which have no modification dates. */
async function addSitemaps(parts: SiteParts, crawl: SiteCrawl, root: string): Promise<readonly string[]> {
  const { state } = parts;
  const { urls, areDeclared } = await findSitemaps(parts, root);
  state.sitemaps ??= createSitemapProgress(urls);
  const pages = await addSitemapPages({ ...parts, crawl }, state.sitemaps, 1);
  const note = describeProblems(selectRelevantProblems(pages, !areDeclared));
  return note === undefined ? [] : [note];
}

type RootFound = { readonly root: SiteRoot } | { readonly problem: PageProblem };

const MAX_REDIRECTS = 5;
/** Lists the codes of problems of a root page whose links can still be crawled. */
const TOLERATED_PROBLEMS = new Set([
  'noindex',
  'soft_404',
  'login_page',
  'needs_rendering',
  'no_text_found',
  'page_unreadable',
]);

/** Looks up the root of a site and follows its redirects. The scope of the site depends on the last URL. */
async function findRootPage(
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
    if (seen.has(redirectTo)) return { problem: createProblem('redirect_loop', { found: redirectTo }) };
    requestUrl = redirectTo;
  }
  return { problem: createProblem('too_many_redirects', { found: `more than ${MAX_REDIRECTS}` }) };
}

/**
 * Returns the URL whose directory is the scope of the site: the given URL, unless the redirects only added a slash or led out of
 * its directory.
 */
function chooseSiteUrl(start: string, finalUrl: string): string {
  const [startPath, finalPath] = [new URL(start).pathname, new URL(finalUrl).pathname];
  if (finalPath === `${startPath}/`) return finalUrl;
  return isSameSite(start, finalUrl) && createSiteScope(start, {}).includes(finalUrl) ? start : finalUrl;
}
