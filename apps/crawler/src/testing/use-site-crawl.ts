import type { CrawlSite } from '@quarry/contracts';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { createHtmlReader, type HtmlReader } from '../pages/html/html-reader.js';
import { buildHtmlPage, startLocalSite, type LocalSite } from './local-site.js';
import { buildSiteJob, startTestCrawler, type TestCrawler, type RunOutput } from './test-crawler.js';

/**
 * Holds the local web site and the crawler of the test that is running, and functions that use them. Outside of a test,
 * `site` and `crawler` throw an error.
 */
export interface SiteCrawlFixture {
  readonly site: LocalSite;
  readonly crawler: TestCrawler;
  readonly reader: HtmlReader;
  /** Builds an HTML page whose heading equals its title. @param head further elements of its head */
  readonly buildPage: (title: string, body: string, head?: string) => string;
  /** Adds a page to the site. */
  readonly addPage: (path: string, title: string, body: string, head?: string) => void;
  /** Builds the HTML of links to the given paths. */
  readonly buildLinks: (...paths: readonly string[]) => string;
  /**
   * Adds a tree of pages with up to five children each.
   *
   * @param changed numbers of the pages whose text says that it was changed
   */
  readonly addTree: (pages: number, changed?: ReadonlySet<number>) => void;
  /** Crawls the site, by default from its root. */
  readonly crawl: (job?: Partial<CrawlSite>, runId?: string) => Promise<RunOutput>;
  /** Returns the sorted paths of indexed documents. */
  readonly listIndexed: (output: RunOutput) => readonly string[];
  /** Returns the sorted paths, outcomes and codes of documents that were not indexed. */
  readonly listNotIndexed: (output: RunOutput) => readonly string[];
}

/**
 * Registers hooks that start an empty site and a new crawler before each test, and stop them after it. Call it once per
 * file.
 */
export function useSiteCrawl(): SiteCrawlFixture {
  const reader = createHtmlReader({ threads: 2, timeoutMs: 30_000, memoryMb: 256 });
  let site: LocalSite | undefined;
  let crawler: TestCrawler | undefined;
  afterAll(() => reader.close());
  beforeEach(async () => {
    site = await startLocalSite();
    crawler = startTestCrawler({ html: reader });
  });
  afterEach(async () => {
    await crawler?.close();
    await site?.close();
  });
  const fixture: SiteCrawlFixture = {
    reader,
    get site() {
      if (site === undefined) throw new Error('expected a running site, found none');
      return site;
    },
    get crawler() {
      if (crawler === undefined) throw new Error('expected a running crawler, found none');
      return crawler;
    },
    buildPage: buildHtmlPage,
    addPage: (path, title, body, head) => {
      fixture.site.app.get(
        path,
        (_request, response) => void response.type('html').send(buildHtmlPage(title, body, head)),
      );
    },
    buildLinks: (...paths) => paths.map((path) => `<a href="${path}">${path}</a>`).join(' '),
    addTree: (pages, changed = new Set()) => {
      fixture.site.app.get(['/', '/p/:n'], (request, response) => {
        const n = Number(request.params['n'] ?? 0);
        const children = [1, 2, 3, 4, 5].map((k) => n * 5 + k).filter((child) => child < pages);
        const text = `<p>This is page ${n}${changed.has(n) ? ', which was changed' : ''}.</p>`;
        const body = text + fixture.buildLinks('/', ...children.map((child) => `/p/${child}`));
        response.type('html').send(buildHtmlPage(`Page ${n}`, body));
      });
    },
    crawl: (job = {}, runId) =>
      fixture.crawler.run('crawl-site', buildSiteJob({ rootUrl: `${fixture.site.origin}/`, ...job }, runId)),
    listIndexed: (output) =>
      output.indexed.map(({ documentKey }) => documentKey.replace(fixture.site.origin, '')).sort(),
    listNotIndexed: (output) =>
      output.settled
        .map(
          ({ documentKey, outcome, code }) =>
            `${documentKey.replace(fixture.site.origin, '')} ${outcome} ${code ?? ''}`,
        )
        .sort(),
  };
  return fixture;
}
