import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startLocalSite } from '../testing/local-site.js';
import { buildSiteJob, startTestCrawler, type RunOutput } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const fixture = useSiteCrawl();
const { crawl, buildPage, listIndexed, buildLinks, addPage, reader } = fixture;

describe('crawl-site', () => {
  describe('a crawl by sitemap', () => {
    const serveSitemap = (path: string, body: string | Buffer, type = 'application/xml'): void => {
      fixture.site.app.get(path, (_request, response) => void response.type(type).send(body));
    };
    const buildUrlset = (...entries: readonly (readonly [path: string, modified?: string])[]): string =>
      `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries
        .map(
          ([path, modified]) =>
            `<url><loc>${fixture.site.origin}${path}</loc>${modified === undefined ? '' : `<lastmod>${modified}</lastmod>`}</url>`,
        )
        .join('')}</urlset>`;
    const crawlBySitemap = (path = '/sitemap.xml', runId?: string): Promise<RunOutput> =>
      fixture.crawler.run('crawl-site', buildSiteJob({ sitemap: fixture.site.origin + path }, runId));

    it('a crawl by sitemap requests the pages that the sitemap lists, and follows no links', async () => {
      serveSitemap('/sitemap.xml', buildUrlset(['/a'], ['/b?x=1&amp;y=2'], ['/a#top']));
      addPage('/a', 'A', buildLinks('/c'));
      addPage('/b', 'B', '<p>Text of B.</p>');
      const output = await crawlBySitemap();
      expect(listIndexed(output)).toEqual(['/a', '/b?x=1&y=2']);
      expect(output.enumerated).toEqual([expect.objectContaining({ discovered: 2, complete: true })]);
    });

    it('a crawl by sitemap indexes a page even if the sitemap also lists a spelling of its URL that is out of scope', async () => {
      serveSitemap('/sitemap.xml', buildUrlset(['/a?utm_source=map'], ['/a']));
      addPage('/a', 'A', '<p>Text of A.</p>');
      const output = await fixture.crawler.run(
        'crawl-site',
        buildSiteJob({ sitemap: `${fixture.site.origin}/sitemap.xml`, exclude: ['/*?'] }),
      );
      expect(listIndexed(output)).toEqual(['/a']);
      expect(fixture.listNotIndexed(output)).toEqual([]);
    });

    it('if a sitemap is read again after an incomplete response, a crawl by sitemap counts pages of other sites only once', async () => {
      let requests = 0;
      const entries = [1, 2, 3].map((n) => `<url><loc>https://elsewhere.example/${n}</loc></url>`).join('');
      fixture.site.app.get('/sitemap.xml', (_request, response) => {
        requests += 1;
        response.type('application/xml').write(`<urlset><url><loc>${fixture.site.origin}/a</loc></url>${entries}`);
        if (requests === 1) setTimeout(() => response.destroy(), 50);
        else response.end('</urlset>');
      });
      addPage('/a', 'A', '<p>Text of A.</p>');
      const { enumerated } = await crawlBySitemap();
      expect(enumerated[0]?.note).toMatch(/^3 pages of other sites, such as https:\/\/elsewhere\.example\/1,/);
      expect(requests).toBe(2);
    });

    it('if an earlier run indexed pages of another site, and the robots.txt of that site is unreachable, a crawl by sitemap ends incomplete after three attempts', async () => {
      const other = await startLocalSite();
      try {
        let isReachable = true;
        other.app.get('/robots.txt', (_request, response) => {
          if (isReachable) response.type('text').send(`Sitemap: ${fixture.site.origin}/sitemap.xml`);
          else response.status(503).end();
        });
        other.app.get(
          '/x',
          (_request, response) => void response.type('html').send(buildPage('X', '<p>Text of X.</p>')),
        );
        serveSitemap(
          '/sitemap.xml',
          `<urlset><url><loc>/a</loc></url><url><loc>${other.origin}/x</loc></url></urlset>`,
        );
        addPage('/a', 'A', '<p>Text of A.</p>');
        expect((await crawlBySitemap('/sitemap.xml', 'run-1')).indexed).toHaveLength(2);
        isReachable = false;
        const later = startTestCrawler({ html: reader, blobs: fixture.crawler.blobs });
        try {
          const job = buildSiteJob({ sitemap: `${fixture.site.origin}/sitemap.xml` }, 'run-2');
          const output = await later.run('crawl-site', job);
          expect(output.retries).toHaveLength(2);
          expect(listIndexed(output)).toEqual(['/a']);
          expect(output.enumerated).toEqual([expect.objectContaining({ complete: false })]);
          expect(JSON.stringify(output.enumerated)).toContain(`${other.origin}/robots.txt`);
        } finally {
          await later.close();
        }
      } finally {
        await other.close();
      }
    });

    it('a crawl by sitemap requests the pages of all sitemaps that a sitemap index lists, whether gzipped or not', async () => {
      serveSitemap(
        '/index.xml',
        `<sitemapindex><sitemap><loc>${fixture.site.origin}/s1.xml.gz</loc></sitemap><sitemap><loc>/s2.xml</loc></sitemap></sitemapindex>`,
      );
      serveSitemap('/s1.xml.gz', gzipSync(buildUrlset(['/a'])), 'application/octet-stream');
      serveSitemap('/s2.xml', buildUrlset(['/b']));
      addPage('/a', 'A', '<p>Text of A.</p>');
      addPage('/b', 'B', '<p>Text of B.</p>');
      expect(listIndexed(await crawlBySitemap('/index.xml'))).toEqual(['/a', '/b']);
    });

    it('if a sitemap of a sitemap index cannot be read, a crawl by sitemap ends incomplete, and its note names that sitemap', async () => {
      serveSitemap(
        '/index.xml',
        `<sitemapindex><sitemap><loc>/s1.xml</loc></sitemap><sitemap><loc>/s2.xml</loc></sitemap></sitemapindex>`,
      );
      serveSitemap('/s1.xml', buildUrlset(['/a']));
      addPage('/a', 'A', '<p>Text of A.</p>');
      const output = await crawlBySitemap('/index.xml');
      expect(listIndexed(output)).toEqual(['/a']);
      expect(output.enumerated).toEqual([expect.objectContaining({ discovered: 1, complete: false })]);
      expect(output.enumerated[0]?.note).toContain(`${fixture.site.origin}/s2.xml`);
    });

    it('a crawl by sitemap reads a sitemap that is larger than the largest page', async () => {
      const [start, end] = buildUrlset(['/a']).split('</urlset>');
      serveSitemap('/large.xml', `${start}${' '.repeat(26 * 1024 * 1024)}</urlset>${end}`);
      addPage('/a', 'A', '<p>Text of A.</p>');
      expect(listIndexed(await crawlBySitemap('/large.xml'))).toEqual(['/a']);
    });

    it('if many sitemaps of a sitemap index cannot be read, a crawl by sitemap indexes the pages of the others', async () => {
      const names = Array.from({ length: 12 }, (_, index) => `/broken${index}.xml`);
      const listed = [...names, '/s.xml'].map((name) => `<sitemap><loc>${name}</loc></sitemap>`).join('');
      serveSitemap('/index.xml', `<sitemapindex>${listed}</sitemapindex>`);
      for (const name of names) fixture.site.app.get(name, (_request, response) => void response.status(500).end());
      serveSitemap('/s.xml', buildUrlset(['/a']));
      addPage('/a', 'A', '<p>Text of A.</p>');
      const output = await crawlBySitemap('/index.xml');
      expect(listIndexed(output)).toEqual(['/a']);
      expect(output.enumerated).toEqual([expect.objectContaining({ complete: false })]);
    });

    it('if sitemap indexes are nested more than four levels deep, a crawl by sitemap reads four levels, and ends incomplete', async () => {
      fixture.site.app.get('/s/:n', (request, response) => {
        const n = Number(request.params.n);
        const listed = [2 * n, 2 * n + 1].map((next) => `<sitemap><loc>/s/${next}</loc></sitemap>`).join('');
        response.type('application/xml').send(`<sitemapindex>${listed}<url><loc>/p/${n}</loc></url></sitemapindex>`);
      });
      fixture.site.app.get('/p/:n', (request, response) => {
        response.type('html').send(buildPage(`P ${request.params.n}`, `<p>Page ${request.params.n}.</p>`));
      });
      const output = await crawlBySitemap('/s/1');
      expect(fixture.site.requests.filter((path) => path.startsWith('/s/'))).toHaveLength(1 + 2 + 4 + 8);
      expect(output.enumerated).toEqual([expect.objectContaining({ complete: false })]);
      expect(output.enumerated[0]?.note).toContain('at most 1000 sitemaps');
    });

    it.each([
      ['an HTML page', '<!doctype html><html><body>Not found</body></html>', 'sitemap_unreadable', /HTML page/],
      ['an empty file', '', 'sitemap_unreadable', /empty/],
      ['a sitemap without URLs', '<urlset></urlset>', 'sitemap_empty', /pages to index/],
      [
        'a list of pages of other sites only',
        '<urlset><url><loc>http://elsewhere.example/</loc></url></urlset>',
        'sitemap_empty',
        /elsewhere\.example/,
      ],
      ['invalid gzip', gzipSync('x'.repeat(1_000)).subarray(0, 15), 'sitemap_unreadable', /gzip/],
    ])('a crawl by sitemap fails the run if the sitemap is %s', async (_what, body, code, message) => {
      serveSitemap('/sitemap.xml', body, 'application/octet-stream');
      const output = await crawlBySitemap();
      expect(output.statuses.at(-1)).toMatchObject({ status: 'error', code });
      expect(output.statuses.at(-1)?.message).toMatch(message);
      expect(output.enumerated).toEqual([]);
    });

    it('a crawl by sitemap fails the run if the sitemap does not exist', async () => {
      const output = await crawlBySitemap('/none.xml');
      expect(output.statuses.at(-1)).toMatchObject({
        status: 'error',
        code: 'sitemap_unreadable',
        message: expect.stringContaining('404') as string,
      });
    });

    it('a crawl by sitemap requests pages of another site if the robots.txt of that site names the sitemap', async () => {
      const other = await startLocalSite();
      other.app.get(
        '/robots.txt',
        (_request, response) => void response.type('text').send(`Sitemap: ${fixture.site.origin}/sitemap.xml`),
      );
      other.app.get('/x', (_request, response) => void response.type('html').send(buildPage('X', '<p>Text of X.</p>')));
      serveSitemap(
        '/sitemap.xml',
        `<urlset><url><loc>${other.origin}/x</loc></url><url><loc>http://elsewhere.example/</loc></url></urlset>`,
      );
      const output = await crawlBySitemap();
      expect(output.indexed.map(({ documentKey }) => documentKey)).toEqual([`${other.origin}/x`]);
      expect(output.enumerated[0]).toMatchObject({
        discovered: 2,
        complete: true,
        note: 'A page of another site, http://elsewhere.example/, was skipped.',
      });
      await other.close();
    });

    it('if a page sends no ETag and its modification date in the sitemap is unchanged, a second crawl by sitemap does not request the page', async () => {
      fixture.site.app.disable('etag');
      serveSitemap('/sitemap.xml', buildUrlset(['/a', '2020-01-01'], ['/b', '2020-01-01T00:00:00Z'], ['/c']));
      addPage('/a', 'A', '<p>Text of A.</p>');
      addPage('/b', 'B', '<p>Text of B.</p>');
      addPage('/c', 'C', '<p>Text of C.</p>');
      const first = await crawlBySitemap();
      fixture.site.resetCounters();
      const second = await crawlBySitemap('/sitemap.xml', 'run-2');
      expect(fixture.site.requests).toEqual(['/sitemap.xml', '/c']);
      expect(listIndexed(second)).toEqual(listIndexed(first));
    });

    it('a crawl from a root page reads the sitemap that robots.txt names, or else the sitemap at /sitemap.xml', async () => {
      let robots = '';
      fixture.site.app.get('/robots.txt', (_request, response) => void response.type('text').send(robots));
      serveSitemap('/maps/all.xml', buildUrlset(['/named']));
      serveSitemap('/sitemap.xml', buildUrlset(['/default']));
      addPage('/', 'Home', '<p>No links.</p>');
      addPage('/named', 'Named', '<p>One.</p>');
      addPage('/default', 'Default', '<p>Two.</p>');
      expect(listIndexed(await crawl())).toEqual(['/', '/default']);
      robots = 'Sitemap: /maps/all.xml';
      const later = startTestCrawler({ html: reader });
      expect(listIndexed(await later.run('crawl-site', buildSiteJob({ rootUrl: `${fixture.site.origin}/` })))).toEqual([
        '/',
        '/named',
      ]);
      await later.close();
    });
  });
});
