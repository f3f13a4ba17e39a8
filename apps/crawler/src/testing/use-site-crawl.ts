import type { CrawlSite } from '@quarry/contracts';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { htmlReader, type HtmlReader } from '../pages/html-reader.js';
import { htmlPage } from './html-page.js';
import { localSite, type LocalSite } from './local-site.js';
import { siteJob, testCrawler, type TestCrawler, type Told } from './test-crawler.js';

/** What every test of a file has: a site of its own without pages, and a crawler that knows nothing yet. */
export interface UsedSiteCrawl {
  readonly site: LocalSite;
  readonly crawler: TestCrawler;
  readonly reader: HtmlReader;
  /** A whole page. @param head what its head holds beside the title */
  readonly html: (title: string, body: string, head?: string) => string;
  /** Puts a page on the site. */
  readonly page: (path: string, title: string, body: string, head?: string) => void;
  readonly links: (...paths: readonly string[]) => string;
  /** Puts a tree of pages on the site, five links each. @param changed those that have another text */
  readonly tree: (pages: number, changed?: ReadonlySet<number>) => void;
  /** Crawls the site, from its root unless the job says otherwise. */
  readonly crawl: (job?: Partial<CrawlSite>, runId?: string) => Promise<Told>;
  /** The paths of what was handed to ingestion, in order. */
  readonly indexed: (told: Told) => readonly string[];
  /** Path, outcome and code of what was not, in order. */
  readonly left: (told: Told) => readonly string[];
}

/** To be called once, at the top of a file. */
export function useSiteCrawl(): UsedSiteCrawl {
  const reader = htmlReader({ threads: 2, timeoutMs: 30_000, memoryMb: 256 });
  let site: LocalSite | undefined;
  let crawler: TestCrawler | undefined;
  afterAll(() => reader.close());
  beforeEach(async () => {
    site = await localSite();
    crawler = testCrawler({ html: reader });
  });
  afterEach(async () => {
    await crawler?.close();
    await site?.close();
  });
  const used: UsedSiteCrawl = {
    reader,
    get site() {
      if (site === undefined) throw new Error('the site did not start');
      return site;
    },
    get crawler() {
      if (crawler === undefined) throw new Error('the crawler did not start');
      return crawler;
    },
    html: htmlPage,
    page: (path, title, body, head) => {
      used.site.app.get(path, (_request, response) => void response.type('html').send(htmlPage(title, body, head)));
    },
    links: (...paths) => paths.map((path) => `<a href="${path}">${path}</a>`).join(' '),
    tree: (pages, changed = new Set()) => {
      used.site.app.get(['/', '/p/:n'], (request, response) => {
        const n = Number(request.params['n'] ?? 0);
        const children = [1, 2, 3, 4, 5].map((k) => n * 5 + k).filter((child) => child < pages);
        const text = `<p>This is page ${n}${changed.has(n) ? ', which was changed' : ''}.</p>`;
        const body = text + used.links('/', ...children.map((child) => `/p/${child}`));
        response.type('html').send(htmlPage(`Page ${n}`, body));
      });
    },
    crawl: (job = {}, runId) =>
      used.crawler.run('crawl-site', siteJob({ rootUrl: `${used.site.origin}/`, ...job }, runId)),
    indexed: (told) => told.indexed.map(({ documentKey }) => documentKey.replace(used.site.origin, '')).sort(),
    left: (told) =>
      told.settled
        .map(
          ({ documentKey, outcome, code }) => `${documentKey.replace(used.site.origin, '')} ${outcome} ${code ?? ''}`,
        )
        .sort(),
  };
  return used;
}
