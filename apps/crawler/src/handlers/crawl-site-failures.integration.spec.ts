import { describe, expect, it } from 'vitest';
import { PageUnreadable } from '../pages/html/html-reader.js';
import { type HtmlInput } from '../pages/html/read-html.js';
import { createManualClock } from '../testing/manual-clock.js';
import { startLocalSite } from '../testing/local-site.js';
import { buildSiteJob, startTestCrawler } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const PAGES = 100;

const fixture = useSiteCrawl();
const { crawl, buildPage, listIndexed, listNotIndexed, buildLinks, addPage, reader, addTree } = fixture;

describe('a crawl with failures', () => {
  describe('failures that end the run', () => {
    it.each([
      ['the root page does not exist', 404, 'not_found'],
      ['the server denies access to the root page', 403, 'access_denied'],
      ['the server fails to send the root page', 500, 'fetch_failed'],
    ])('a crawl fails its run if %s', async (_what, status, code) => {
      fixture.site.app.get('/', (_request, response) => void response.status(status).end());
      const output = await crawl();
      expect(output.statuses.at(-1)).toMatchObject({ status: 'error', code });
      expect((output.statuses.at(-1)?.sequence ?? 0) % 10_000).toBe(9_999);
      expect(output.enumerated).toEqual([]);
    });

    it('if each request for the root page fails, a crawl reports the error of each attempt except the last one', async () => {
      fixture.site.app.get('/', (_request, response) => void response.status(500).end());
      const retries = (await crawl()).retries.map(({ lastError }) => lastError);
      expect(retries).toMatchObject(
        [1, 2, 3, 4].map((attempt) => ({
          ...{ code: 'fetch_failed', attempt },
          message: expect.stringMatching(/^[A-Z]/) as string,
        })),
      );
    });

    it('a crawl fails its run if robots.txt disallows all pages or is unavailable', async () => {
      fixture.site.app.get(
        '/robots.txt',
        (_request, response) => void response.type('text').send('User-agent: *\nDisallow: /'),
      );
      expect((await crawl()).statuses.at(-1)).toMatchObject({ status: 'error', code: 'robots_disallowed' });
      const other = await startLocalSite();
      other.app.get('/robots.txt', (_request, response) => void response.status(503).end());
      const output = await fixture.crawler.run('crawl-site', buildSiteJob({ rootUrl: other.origin }, 'run-2'));
      expect(output.statuses.at(-1)).toMatchObject({ status: 'error', code: 'robots_unreachable' });
      expect(other.requests).toEqual([]);
      await other.close();
    });
  });

  describe('temporary failures of the server', () => {
    it('a crawl requests pages again after transient failures', async () => {
      const attempts = new Map<string, number>();
      fixture.site.app.get('/{*path}', (request, response) => {
        const n = (attempts.get(request.path) ?? 0) + 1;
        attempts.set(request.path, n);
        if (['/sitemap.xml', '/robots.txt'].includes(request.path)) response.status(404).end();
        else if (n < 3) response.status(503).end();
        else response.type('html').send(buildPage(request.path, buildLinks('/', '/a')));
      });
      const output = await crawl();
      expect(listIndexed(output)).toEqual(['/', '/a']);
      expect(output.enumerated).toEqual([expect.objectContaining({ complete: true })]);
    });

    it('a crawl stops after several consecutive failed pages, and ends incomplete', async () => {
      addPage('/', 'Home', buildLinks(...Array.from({ length: 100 }, (_, n) => `/p/${n}`)));
      fixture.site.app.get('/p/:n', (_request, response) => void response.status(500).end());
      const output = await crawl();
      expect(output.enumerated).toEqual([
        expect.objectContaining({ complete: false, note: expect.stringContaining('stopped responding') as string }),
      ]);
      expect(fixture.site.requests.length).toBeLessThan(100);
    });

    it('if a Retry-After header requests a long delay, a crawl is postponed, and then resumes without repeating other requests', async () => {
      const ready = new Set<string>();
      addPage('/', 'Home', buildLinks('/a', '/b'));
      addPage('/a', 'A', '<p>Text of A.</p>');
      fixture.site.app.get('/b', (_request, response) => {
        if (ready.has('/b')) response.type('html').send(buildPage('B', '<p>Text of B.</p>'));
        else response.status(429).set('retry-after', '600').end();
        ready.add('/b');
      });
      const waiting = startTestCrawler({ html: reader, clock: createManualClock() });
      const output = await waiting.run('crawl-site', buildSiteJob({ rootUrl: `${fixture.site.origin}/` }));
      expect(listIndexed(output)).toEqual(['/', '/a', '/b']);
      expect(output.enumerated).toHaveLength(1);
      expect(fixture.site.requests.filter((path) => path === '/a')).toHaveLength(1);
      await waiting.close();
    });

    it('a crawl stops at its time limit, and ends incomplete', async () => {
      addTree(PAGES);
      const clock = createManualClock();
      const slow = startTestCrawler({ html: reader, clock, settings: { delayMs: 1_000, maxRunMs: 20_000 } });
      const output = await slow.run('crawl-site', buildSiteJob({ rootUrl: `${fixture.site.origin}/` }));
      expect(output.indexed.length).toBeGreaterThan(5);
      expect(fixture.site.requests.length).toBeLessThan(40);
      expect(output.enumerated).toEqual([
        expect.objectContaining({
          complete: false,
          note: expect.stringContaining('exceeded its time limit') as string,
        }),
      ]);
      await slow.close();
    });

    it('a crawl obeys the crawl delay of robots.txt', async () => {
      fixture.site.app.get(
        '/robots.txt',
        (_request, response) => void response.type('text').send('User-agent: *\nCrawl-delay: 7'),
      );
      addPage('/', 'Home', buildLinks('/a', '/b'));
      addPage('/a', 'A', '<p>Text of A.</p>');
      addPage('/b', 'B', '<p>Text of B.</p>');
      const clock = createManualClock();
      const startedAt = clock.now();
      const polite = startTestCrawler({ html: reader, clock });
      await polite.run('crawl-site', buildSiteJob({ rootUrl: `${fixture.site.origin}/` }));
      // The requests are robots.txt, root, sitemap, a and b.
      expect(clock.now() - startedAt).toBe(4 * 7_000);
      await polite.close();
    });
  });

  it('a crawl stops after too many pages that exceed the limits of extraction, and ends incomplete', async () => {
    const unreadable = { read: () => Promise.reject(new PageUnreadable('too slow')), close: () => Promise.resolve() };
    const home = {
      read: (input: HtmlInput) => (input.url.endsWith('/') ? reader : unreadable).read(input),
      close: unreadable.close,
    };
    addPage('/', 'Home', buildLinks(...Array.from({ length: 100 }, (_, n) => `/p/${n}`)));
    fixture.site.app.get('/p/:n', (_request, response) => void response.type('html').send('x'));
    const limited = startTestCrawler({ html: home });
    const output = await limited.run('crawl-site', buildSiteJob({ rootUrl: `${fixture.site.origin}/` }));
    expect(output.enumerated[0]).toMatchObject({
      complete: false,
      note: expect.stringContaining('limit of extraction') as string,
    });
    expect(fixture.site.requests.length).toBeLessThan(50);
    await limited.close();
  });

  it('a crawl continues after a page that exceeds the limits of extraction', async () => {
    addPage('/', 'Home', buildLinks('/hostile', '/a'));
    addPage('/a', 'A', '<p>Text of A.</p>');
    addPage('/hostile', 'Hostile', `${'<div><span>'.repeat(60_000)}x`);
    const limited = startTestCrawler({ settings: { reading: { threads: 2, timeoutMs: 4_000, memoryMb: 256 } } });
    const output = await limited.run('crawl-site', buildSiteJob({ rootUrl: `${fixture.site.origin}/` }));
    expect(listIndexed(output)).toEqual(['/', '/a']);
    expect(listNotIndexed(output)).toEqual(['/hostile failed page_unreadable']);
    await limited.close();
  });
});
