import { parsePageUrl } from '../urls/parse-page-url.js';
import { createProblem } from '../pages/page-problems.js';
import { findRoot } from './find-root.js';
import { settlePage, type SiteCrawl } from './settle-page.js';
import { finishCrawl, createSiteCrawl, type CrawlResult, type SiteParts } from './site-crawl.js';
import { describeProblems, selectRelevantProblems, findSitemaps, addSitemapPages } from './site-sitemaps.js';

/** Crawls a site from its root page: the pages that its sitemaps list and the pages that are linked. */
export async function crawlFromRoot(parts: SiteParts, rootUrl: string): Promise<CrawlResult> {
  const { job, limits, lookUps, signal } = parts;
  const start = parsePageUrl(rootUrl);
  if (start === undefined) return { problem: createProblem('invalid_url', { found: rootUrl }) };
  const found = await findRoot(lookUps, start, job, signal);
  if ('problem' in found) return found;
  const { requestUrl, result, scope } = found.root;
  const crawl = createSiteCrawl(parts, scope, true, limits);
  crawl.frontier.add({ requestUrl, depth: 0, redirects: 0 });
  const root = crawl.frontier.next();
  const notes = limits.maxDepth > 0 ? await addSitemaps(parts, crawl, requestUrl) : [];
  if (root !== undefined) await settlePage(crawl, root, result);
  return finishCrawl(parts, crawl, limits, notes);
}

/** Adds the pages of sitemaps to the frontier. Called before the links of the root, which have no modification dates. */
async function addSitemaps(parts: SiteParts, crawl: SiteCrawl, root: string): Promise<readonly string[]> {
  const { urls, areDeclared } = await findSitemaps(parts, root);
  const pages = await addSitemapPages({ ...parts, crawl }, urls, 1);
  const note = describeProblems(selectRelevantProblems(pages, !areDeclared));
  return note === undefined ? [] : [note];
}
