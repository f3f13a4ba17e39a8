import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CrawlSite } from '@quarry/contracts';
import { localSite, type LocalSite } from '../testing/local-site.js';
import { siteJob, testCrawler, type TestCrawler, type Told } from '../testing/test-crawler.js';

const PAGES = 300;

describe('crawl-site', () => {
  let site: LocalSite;
  let crawler: TestCrawler;
  beforeEach(async () => {
    site = await localSite();
    crawler = testCrawler();
  });
  afterEach(async () => {
    await crawler.close();
    await site.close();
  });

  const html = (title: string, body: string, head = ''): string =>
    `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>${body}</main></body></html>`;
  const page = (path: string, title: string, body: string, head = ''): void => {
    site.app.get(path, (_request, response) => void response.type('html').send(html(title, body, head)));
  };
  const links = (...paths: readonly string[]): string => paths.map((path) => `<a href="${path}">${path}</a>`).join(' ');
  const crawl = (job: Partial<CrawlSite> = {}, runId?: string): Promise<Told> =>
    crawler.run('crawl-site', siteJob({ rootUrl: `${site.origin}/`, ...job }, runId));
  const indexed = (told: Told): readonly string[] =>
    told.indexed.map(({ documentKey }) => documentKey.replace(site.origin, '')).sort();
  const left = (told: Told): readonly string[] =>
    told.settled
      .map(({ documentKey, outcome, code }) => `${documentKey.replace(site.origin, '')} ${outcome} ${code ?? ''}`)
      .sort();

  /** A tree of pages, five links each. */
  const tree = (changed: ReadonlySet<number> = new Set()): void => {
    site.app.get(['/', '/p/:n'], (request, response) => {
      const n = Number(request.params['n'] ?? 0);
      const children = [1, 2, 3, 4, 5].map((k) => n * 5 + k).filter((child) => child < PAGES);
      const text = `<p>This is page ${n}${changed.has(n) ? ', which was changed' : ''}.</p>`;
      response.type('html').send(html(`Page ${n}`, text + links('/', ...children.map((child) => `/p/${child}`))));
    });
  };

  it('hands each of 300 pages to ingestion once, and says how many there are', async () => {
    tree();
    const told = await crawl();
    expect(new Set(indexed(told)).size).toBe(PAGES);
    expect(told.indexed).toHaveLength(PAGES);
    expect(told.indexed.every(({ partOfRun, mimeType }) => partOfRun === true && mimeType === 'text/markdown')).toBe(
      true,
    );
    expect(told.enumerated).toEqual([expect.objectContaining({ documents: PAGES, complete: true })]);
    expect(told.enumerated[0]).not.toHaveProperty('note');
    expect(told.settled).toEqual([]);
    expect(told.statuses.map(({ status, sequence }) => [status, sequence])).toEqual([['running', 10_000]]);
    expect(told.progress.at(-1)?.progress?.done).toBeGreaterThan(200);
    expect(site.requests.filter((path) => path !== '/sitemap.xml')).toHaveLength(PAGES);
  });

  it('is not sent anything again when nothing has changed, and hands on what it kept', async () => {
    tree();
    const first = await crawl();
    const firstBytes = site.bytes();
    site.forget();
    const second = await crawl({}, 'run-2');
    expect(indexed(second)).toEqual(indexed(first));
    expect(second.enumerated).toEqual([expect.objectContaining({ documents: PAGES, complete: true })]);
    expect(site.requests.length).toBe(PAGES + 1);
    expect(site.bytes()).toBeLessThan(firstBytes / 100);
  });

  it('has only the changed pages sent again', async () => {
    const changed = new Set<number>();
    tree(changed);
    await crawl();
    site.forget();
    changed.add(7).add(42);
    const told = await crawl({}, 'run-2');
    const texts = await Promise.all(told.indexed.map(({ blobKey }) => crawler.blob(blobKey)));
    expect(texts.filter((text) => text.includes('which was changed'))).toHaveLength(2);
    expect(site.bytes()).toBeLessThan(3_000);
  });
});
