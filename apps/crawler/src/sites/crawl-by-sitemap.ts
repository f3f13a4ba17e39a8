import { createSiteScope, type SiteScope } from '../urls/site-scope.js';
import { createProblem } from '../pages/page-problems.js';
import type { PageProblem } from '../pages/page.js';
import { recordUnrequestedPages } from './settle-page.js';
import { finishCrawl, openSiteCrawl, type CrawlResult, type SiteParts } from './site-crawl.js';
import {
  addSitemapPages,
  createSitemapProgress,
  describeProblems,
  toSiteProblem,
  type SitemapPages,
} from './site-sitemaps.js';

/** Crawls exactly the pages that a sitemap lists. */
export async function crawlBySitemap(parts: SiteParts, sitemap: string): Promise<CrawlResult> {
  const { job, state } = parts;
  const url = URL.parse(sitemap)?.href;
  if (url === undefined) return { problem: createProblem('invalid_url', { found: sitemap }) };
  const sites = (state.scopes ??= [createSiteScope(new URL('/', url).href, job)]);
  const scope: SiteScope = { includes: (page) => sites.some((site) => site.includes(page)) };
  const crawl = openSiteCrawl(parts, scope, false);
  const onSiteApproved = (origin: string): void => void sites.push(createSiteScope(`${origin}/`, job));
  state.sitemaps ??= createSitemapProgress([url]);
  const pages = (state.sitemapPages ??= await addSitemapPages({ ...parts, crawl, onSiteApproved }, state.sitemaps, 0));
  const [first] = pages.problems;
  if (first !== undefined && pages.added === 0) return { problem: toSiteProblem(first.url, first.problem) };
  if (pages.added === 0) return { problem: createEmptySitemapProblem(url, pages) };
  if (state.notes === undefined) await recordUnrequestedPages(crawl, pages.outOfScope, 'out_of_scope');
  const note = describeProblems(pages.problems);
  state.notes = note === undefined ? [] : [note];
  const crawled = await finishCrawl(parts, crawl, state.notes);
  return 'problem' in crawled ? crawled : { ...crawled, notes: [...crawled.notes, ...describeForeignPages(pages)] };
}

function createEmptySitemapProblem(url: string, pages: SitemapPages): PageProblem {
  const message = [`expected pages to index in the sitemap ${url}, found none`, ...describeForeignPages(pages)].join(
    '. ',
  );
  return { outcome: 'failed', code: 'sitemap_empty', message, transient: false };
}

function describeForeignPages({ foreign, foreignExample }: SitemapPages): readonly string[] {
  if (foreignExample === undefined) return [];
  return [`${foreign} of its pages belong to other sites, such as ${foreignExample}, and were skipped.`];
}
