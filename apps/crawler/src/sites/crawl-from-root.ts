import { readAddress } from '../addresses/read-address.js';
import { problem } from '../pages/page-problems.js';
import { findRoot } from './find-root.js';
import { settleFinding, type SiteCrawl } from './settle-finding.js';
import { finishCrawl, newSiteCrawl, type Crawled, type SiteParts } from './site-crawl.js';
import { describeProblems, realProblems, sitemapsOf, takeSitemaps } from './site-sitemaps.js';

/** Crawls a site from its root: what its sitemaps list, and what its pages link to. */
export async function crawlFromRoot(parts: SiteParts, rootUrl: string): Promise<Crawled> {
  const { job, limits, lookUps, signal } = parts;
  const start = readAddress(rootUrl);
  if (start === undefined) return { problem: problem('invalid_url', { found: rootUrl }) };
  const found = await findRoot(lookUps, start, job, signal);
  if ('problem' in found) return found;
  const { request, finding, scope } = found.root;
  const crawl = newSiteCrawl(parts, scope, true, limits);
  crawl.frontier.add({ request, depth: 0, redirects: 0 });
  const root = crawl.frontier.next();
  const notes = limits.maxDepth > 0 ? await takeItsSitemaps(parts, crawl, request) : [];
  if (root !== undefined) await settleFinding(crawl, root, finding);
  return finishCrawl(parts, crawl, limits, notes);
}

/** Before the root's links, so that the sitemap's word on when a page was changed is not lost. */
async function takeItsSitemaps(parts: SiteParts, crawl: SiteCrawl, root: string): Promise<readonly string[]> {
  const { addresses, areNamed } = await sitemapsOf(parts, root);
  const pages = await takeSitemaps({ ...parts, crawl }, addresses, 1);
  const note = describeProblems(realProblems(pages, !areNamed));
  return note === undefined ? [] : [note];
}
