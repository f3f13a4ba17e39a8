import { describe, expect, it } from 'vitest';
import { PageUnreadable } from '../pages/html-reader.js';
import { type HtmlInput } from '../pages/html/read-html.js';
import { manualClock } from '../testing/manual-clock.js';
import { localSite } from '../testing/local-site.js';
import { siteJob, testCrawler } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const PAGES = 100;

const used = useSiteCrawl();
const { crawl, html, indexed, left, links, page, reader, tree } = used;

describe('a site with troubles', () => {
  describe('ends in error as a whole', () => {
    it.each([
      ['the root is missing', 404, 'not_found'],
      ['the root is forbidden', 403, 'access_denied'],
      ['the root is broken', 500, 'fetch_failed'],
    ])('when %s', async (_what, status, code) => {
      used.site.app.get('/', (_request, response) => void response.status(status).end());
      const told = await crawl();
      expect(told.statuses.at(-1)).toMatchObject({ status: 'error', code });
      expect((told.statuses.at(-1)?.sequence ?? 0) % 10_000).toBe(9_999);
      expect(told.enumerated).toEqual([]);
    });

    it('when the root stays broken, and reports why each attempt is retried', async () => {
      used.site.app.get('/', (_request, response) => void response.status(500).end());
      const retries = (await crawl()).retries.map(({ lastError }) => lastError);
      expect(retries).toMatchObject(
        [1, 2, 3, 4].map((attempt) => ({
          ...{ code: 'fetch_failed', attempt },
          message: expect.stringMatching(/^[A-Z]/) as string,
        })),
      );
    });

    it('when robots.txt lets it nowhere, or cannot be had', async () => {
      used.site.app.get(
        '/robots.txt',
        (_request, response) => void response.type('text').send('User-agent: *\nDisallow: /'),
      );
      expect((await crawl()).statuses.at(-1)).toMatchObject({ status: 'error', code: 'robots_disallowed' });
      const other = await localSite();
      other.app.get('/robots.txt', (_request, response) => void response.status(503).end());
      const told = await used.crawler.run('crawl-site', siteJob({ rootUrl: other.origin }, 'run-2'));
      expect(told.statuses.at(-1)).toMatchObject({ status: 'error', code: 'robots_unreachable' });
      expect(other.requests).toEqual([]);
      await other.close();
    });
  });

  describe('a server with troubles', () => {
    it('is asked again, and what it gives then counts', async () => {
      const tries = new Map<string, number>();
      used.site.app.get('/{*path}', (request, response) => {
        const n = (tries.get(request.path) ?? 0) + 1;
        tries.set(request.path, n);
        if (['/sitemap.xml', '/robots.txt'].includes(request.path)) response.status(404).end();
        else if (n < 3) response.status(503).end();
        else response.type('html').send(html(request.path, links('/', '/a')));
      });
      const told = await crawl();
      expect(indexed(told)).toEqual(['/', '/a']);
      expect(told.enumerated).toEqual([expect.objectContaining({ complete: true })]);
    });

    it('that stops answering is left alone, with what was found until then', async () => {
      page('/', 'Home', links(...Array.from({ length: 100 }, (_, n) => `/p/${n}`)));
      used.site.app.get('/p/:n', (_request, response) => void response.status(500).end());
      const told = await crawl();
      expect(told.enumerated).toEqual([
        expect.objectContaining({ complete: false, note: expect.stringContaining('stopped answering') as string }),
      ]);
      expect(used.site.requests.length).toBeLessThan(100);
    });

    it('that asks for minutes gets them: the job comes back, and goes on where it was', async () => {
      const ready = new Set<string>();
      page('/', 'Home', links('/a', '/b'));
      page('/a', 'A', '<p>Text of A.</p>');
      used.site.app.get('/b', (_request, response) => {
        if (ready.has('/b')) response.type('html').send(html('B', '<p>Text of B.</p>'));
        else response.status(429).set('retry-after', '600').end();
        ready.add('/b');
      });
      const patient = testCrawler({ html: reader, clock: manualClock() });
      const told = await patient.run('crawl-site', siteJob({ rootUrl: `${used.site.origin}/` }));
      expect(indexed(told)).toEqual(['/', '/a', '/b']);
      expect(told.enumerated).toHaveLength(1);
      expect(used.site.requests.filter((path) => path === '/a')).toHaveLength(1);
      await patient.close();
    });

    it('that is slower than a crawl may take is indexed as far as it was crawled, and nothing counts as gone', async () => {
      tree(PAGES);
      const clock = manualClock();
      const slow = testCrawler({ html: reader, clock, settings: { delayMs: 1_000, maxRunMs: 20_000 } });
      const told = await slow.run('crawl-site', siteJob({ rootUrl: `${used.site.origin}/` }));
      expect(told.indexed.length).toBeGreaterThan(5);
      expect(used.site.requests.length).toBeLessThan(40);
      expect(told.enumerated).toEqual([
        expect.objectContaining({ complete: false, note: expect.stringContaining('longer than it may') as string }),
      ]);
      await slow.close();
    });

    it('is asked at its own pace', async () => {
      used.site.app.get(
        '/robots.txt',
        (_request, response) => void response.type('text').send('User-agent: *\nCrawl-delay: 7'),
      );
      page('/', 'Home', links('/a', '/b'));
      page('/a', 'A', '<p>Text of A.</p>');
      page('/b', 'B', '<p>Text of B.</p>');
      const clock = manualClock();
      const begun = clock.now();
      const polite = testCrawler({ html: reader, clock });
      await polite.run('crawl-site', siteJob({ rootUrl: `${used.site.origin}/` }));
      // robots.txt, root, sitemap, a, b.
      expect(clock.now() - begun).toBe(4 * 7_000);
      await polite.close();
    });
  });

  it('leaves a site alone whose pages cannot be read one after the other', async () => {
    const unreadable = { read: () => Promise.reject(new PageUnreadable('too slow')), close: () => Promise.resolve() };
    const home = {
      read: (input: HtmlInput) => (input.address.endsWith('/') ? reader : unreadable).read(input),
      close: unreadable.close,
    };
    page('/', 'Home', links(...Array.from({ length: 100 }, (_, n) => `/p/${n}`)));
    used.site.app.get('/p/:n', (_request, response) => void response.type('html').send('x'));
    const patient = testCrawler({ html: home });
    const told = await patient.run('crawl-site', siteJob({ rootUrl: `${used.site.origin}/` }));
    expect(told.enumerated[0]).toMatchObject({
      complete: false,
      note: expect.stringContaining('could not be read') as string,
    });
    expect(used.site.requests.length).toBeLessThan(50);
    await patient.close();
  });

  it('goes on when a page cannot be read in the time that it may take', async () => {
    page('/', 'Home', links('/hostile', '/a'));
    page('/a', 'A', '<p>Text of A.</p>');
    page('/hostile', 'Hostile', `${'<div><span>'.repeat(60_000)}x`);
    const hasty = testCrawler({ settings: { reading: { threads: 2, timeoutMs: 4_000, memoryMb: 256 } } });
    const told = await hasty.run('crawl-site', siteJob({ rootUrl: `${used.site.origin}/` }));
    expect(indexed(told)).toEqual(['/', '/a']);
    expect(left(told)).toEqual(['/hostile failed page_unreadable']);
    await hasty.close();
  });
});
