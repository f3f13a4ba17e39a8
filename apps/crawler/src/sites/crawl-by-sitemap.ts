import { siteScope, type SiteScope } from '../addresses/site-scope.js';
import { problem } from '../pages/page-problems.js';
import type { PageProblem } from '../pages/page.js';
import { nameLeftOut } from './settle-finding.js';
import { finishCrawl, newSiteCrawl, type Crawled, type SiteParts } from './site-crawl.js';
import { describeProblems, sitemapFailure, takeSitemaps, type SitemapPages } from './site-sitemaps.js';

/** Crawls the pages that a sitemap lists, and no others. */
export async function crawlBySitemap(parts: SiteParts, sitemap: string): Promise<Crawled> {
  const { job, limits } = parts;
  const address = URL.parse(sitemap)?.href;
  if (address === undefined) return { problem: problem('invalid_url', { found: sitemap }) };
  const sites = [siteScope(new URL('/', address).href, job)];
  const scope: SiteScope = { includes: (page) => sites.some((site) => site.includes(page)) };
  const crawl = newSiteCrawl(parts, scope, false, limits);
  const onAgreed = (origin: string): void => void sites.push(siteScope(`${origin}/`, job));
  const pages = await takeSitemaps({ ...parts, crawl, onAgreed }, [address], 0);
  const [first] = pages.problems;
  if (first !== undefined && pages.taken === 0) return { problem: sitemapFailure(first.address, first.problem) };
  if (pages.taken === 0) return { problem: noPages(address, pages) };
  await nameLeftOut(crawl, pages.outOfScope, 'out_of_scope');
  const note = describeProblems(pages.problems);
  const crawled = await finishCrawl(parts, crawl, limits, note === undefined ? [] : [note]);
  return 'problem' in crawled ? crawled : { ...crawled, notes: [...crawled.notes, ...ofOthers(pages)] };
}

function noPages(address: string, pages: SitemapPages): PageProblem {
  const message = [`the sitemap ${address} lists no page to index`, ...ofOthers(pages)].join('. ');
  return { outcome: 'failed', code: 'sitemap_empty', message, passing: false };
}

function ofOthers({ foreign, foreignExample }: SitemapPages): readonly string[] {
  if (foreignExample === undefined) return [];
  return [`${foreign} of its pages belong to other sites, such as ${foreignExample}, and are left out.`];
}
