import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { htmlReader } from '../pages/html-reader.js';
import { localSite, type LocalSite } from '../testing/local-site.js';
import { siteJob, testCrawler, type TestCrawler, type Told } from '../testing/test-crawler.js';

const reader = htmlReader({ threads: 2, timeoutMs: 30_000, memoryMb: 256 });
afterAll(() => reader.close());
let site: LocalSite;
let crawler: TestCrawler;
beforeEach(async () => {
  site = await localSite();
  crawler = testCrawler({ html: reader });
});
afterEach(async () => {
  await crawler.close();
  await site.close();
});

const page = (path: string, title: string, body: string): void => {
  const html = `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
  site.app.get(path, (_request, response) => void response.type('html').send(html));
};
const links = (...paths: readonly string[]): string => paths.map((path) => `<a href="${path}">${path}</a>`).join(' ');
const crawl = (path = '/', runId = 'run-1'): Promise<Told> =>
  crawler.run('crawl-site', siteJob({ rootUrl: site.origin + path }, runId));

describe('a site that has been closed to those who are not logged in', () => {
  const PATHS = Array.from({ length: 6 }, (_, at) => `/p/${at}`);
  let isClosed: boolean;
  beforeEach(() => {
    isClosed = false;
    site.app.use((request, response, next) => {
      const isOpen = /^\/(?:login|robots|sitemap)/.test(request.path);
      if (isClosed && !isOpen) response.redirect(`/login?return=${encodeURIComponent(request.url)}`);
      else next();
    });
    page('/', 'Home', links(...PATHS));
    for (const path of PATHS) page(path, path, `<p>Text of ${path}.</p>`);
    page('/login', 'Sign in', '<form><input name="user"><input name="key" type="password"></form>');
    const urls = PATHS.map((path) => `<url><loc>${site.origin}${path}</loc></url>`).join('');
    site.app.get('/sitemap.xml', (_request, response) => void response.type('xml').send(`<urlset>${urls}</urlset>`));
  });

  it('ends in error, by its root', async () => {
    expect((await crawl()).indexed).toHaveLength(7);
    isClosed = true;
    const told = await crawl('/', 'run-2');
    expect(told.statuses.at(-1)).toMatchObject({ status: 'error', code: 'login_page' });
    expect([told.indexed, told.enumerated]).toEqual([[], []]);
  });

  it('gives no page, by its sitemap', async () => {
    isClosed = true;
    const told = await crawler.run('crawl-site', siteJob({ sitemap: `${site.origin}/sitemap.xml` }));
    expect(told.indexed).toEqual([]);
    expect(new Set(told.settled.map(({ outcome, code }) => `${outcome} ${code ?? ''}`))).toEqual(
      new Set(['skipped login_page']),
    );
  });

  it('is crawled without its page to log in, as long as that is only one of its pages', async () => {
    page('/about', 'About', links('/login'));
    const told = await crawl('/about');
    expect(told.settled).toMatchObject([
      { documentKey: `${site.origin}/login`, outcome: 'skipped', code: 'login_page' },
    ]);
    expect(told.enumerated).toEqual([expect.objectContaining({ complete: true })]);
  });
});
