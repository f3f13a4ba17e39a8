import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startLocalSite } from '../testing/local-site.js';
import { buildSiteJob, startTestCrawler, type RunOutput } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const fixture = useSiteCrawl();
const { crawl, html, indexed, links, page, reader } = fixture;

describe('a crawl', () => {
  describe('by sitemap', () => {
    const sitemap = (path: string, body: string | Buffer, type = 'application/xml'): void => {
      fixture.site.app.get(path, (_request, response) => void response.type(type).send(body));
    };
    const urlset = (...entries: readonly (readonly [path: string, modified?: string])[]): string =>
      `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries
        .map(
          ([path, modified]) =>
            `<url><loc>${fixture.site.origin}${path}</loc>${modified === undefined ? '' : `<lastmod>${modified}</lastmod>`}</url>`,
        )
        .join('')}</urlset>`;
    const crawlBySitemap = (path = '/sitemap.xml', runId?: string): Promise<RunOutput> =>
      fixture.crawler.run('crawl-site', buildSiteJob({ sitemap: fixture.site.origin + path }, runId));

    it('includes the listed pages and follows no links', async () => {
      sitemap('/sitemap.xml', urlset(['/a'], ['/b?x=1&amp;y=2'], ['/a#top']));
      page('/a', 'A', links('/c'));
      page('/b', 'B', '<p>Text of B.</p>');
      const output = await crawlBySitemap();
      expect(indexed(output)).toEqual(['/a', '/b?x=1&y=2']);
      expect(output.enumerated).toEqual([expect.objectContaining({ discovered: 2, complete: true })]);
    });

    it('reads an index of gzipped sitemaps', async () => {
      sitemap(
        '/index.xml',
        `<sitemapindex><sitemap><loc>${fixture.site.origin}/s1.xml.gz</loc></sitemap><sitemap><loc>/s2.xml</loc></sitemap></sitemapindex>`,
      );
      sitemap('/s1.xml.gz', gzipSync(urlset(['/a'])), 'application/octet-stream');
      sitemap('/s2.xml', urlset(['/b']));
      page('/a', 'A', '<p>Text of A.</p>');
      page('/b', 'B', '<p>Text of B.</p>');
      expect(indexed(await crawlBySitemap('/index.xml'))).toEqual(['/a', '/b']);
    });

    it('is not complete if a sitemap cannot be read, and names that sitemap', async () => {
      sitemap(
        '/index.xml',
        `<sitemapindex><sitemap><loc>/s1.xml</loc></sitemap><sitemap><loc>/s2.xml</loc></sitemap></sitemapindex>`,
      );
      sitemap('/s1.xml', urlset(['/a']));
      page('/a', 'A', '<p>Text of A.</p>');
      const output = await crawlBySitemap('/index.xml');
      expect(indexed(output)).toEqual(['/a']);
      expect(output.enumerated).toEqual([expect.objectContaining({ discovered: 1, complete: false })]);
      expect(output.enumerated[0]?.note).toContain(`${fixture.site.origin}/s2.xml`);
    });

    it('limits the depth of sitemap indexes, and is then not complete', async () => {
      fixture.site.app.get('/s/:n', (request, response) => {
        const n = Number(request.params.n);
        const listed = [2 * n, 2 * n + 1].map((next) => `<sitemap><loc>/s/${next}</loc></sitemap>`).join('');
        response.type('application/xml').send(`<sitemapindex>${listed}<url><loc>/p/${n}</loc></url></sitemapindex>`);
      });
      fixture.site.app.get('/p/:n', (request, response) => {
        response.type('html').send(html(`P ${request.params.n}`, `<p>Page ${request.params.n}.</p>`));
      });
      const output = await crawlBySitemap('/s/1');
      expect(fixture.site.requests.filter((path) => path.startsWith('/s/'))).toHaveLength(1 + 2 + 4 + 8);
      expect(output.enumerated).toEqual([expect.objectContaining({ complete: false })]);
      expect(output.enumerated[0]?.note).toContain('at most 1000 sitemaps');
    });

    it.each([
      ['an HTML page', '<!doctype html><html><body>Not found</body></html>', 'sitemap_unreadable', /HTML page/],
      ['an empty file', '', 'sitemap_unreadable', /empty/],
      ['no URLs', '<urlset></urlset>', 'sitemap_empty', /pages to index/],
      [
        'pages of other sites only',
        '<urlset><url><loc>http://elsewhere.example/</loc></url></urlset>',
        'sitemap_empty',
        /elsewhere\.example/,
      ],
      ['invalid gzip', gzipSync('x'.repeat(1_000)).subarray(0, 15), 'sitemap_unreadable', /gzip/],
    ])('fails for %s', async (_what, body, code, message) => {
      sitemap('/sitemap.xml', body, 'application/octet-stream');
      const output = await crawlBySitemap();
      expect(output.statuses.at(-1)).toMatchObject({ status: 'error', code });
      expect(output.statuses.at(-1)?.message).toMatch(message);
      expect(output.enumerated).toEqual([]);
    });

    it('fails if the sitemap is missing', async () => {
      const output = await crawlBySitemap('/none.xml');
      expect(output.statuses.at(-1)).toMatchObject({
        status: 'error',
        code: 'sitemap_unreadable',
        message: expect.stringContaining('404') as string,
      });
    });

    it('includes pages of another site whose robots.txt names the sitemap', async () => {
      const other = await startLocalSite();
      other.app.get(
        '/robots.txt',
        (_request, response) => void response.type('text').send(`Sitemap: ${fixture.site.origin}/sitemap.xml`),
      );
      other.app.get('/x', (_request, response) => void response.type('html').send(html('X', '<p>Text of X.</p>')));
      sitemap(
        '/sitemap.xml',
        `<urlset><url><loc>${other.origin}/x</loc></url><url><loc>http://elsewhere.example/</loc></url></urlset>`,
      );
      const output = await crawlBySitemap();
      expect(output.indexed.map(({ documentKey }) => documentKey)).toEqual([`${other.origin}/x`]);
      expect(output.enumerated[0]).toMatchObject({
        discovered: 2,
        complete: true,
        note: expect.stringContaining('elsewhere.example') as string,
      });
      await other.close();
    });

    it('uses the modification dates for pages without validators', async () => {
      fixture.site.app.disable('etag');
      sitemap('/sitemap.xml', urlset(['/a', '2020-01-01'], ['/b', '2020-01-01T00:00:00Z'], ['/c']));
      page('/a', 'A', '<p>Text of A.</p>');
      page('/b', 'B', '<p>Text of B.</p>');
      page('/c', 'C', '<p>Text of C.</p>');
      const first = await crawlBySitemap();
      fixture.site.resetCounters();
      const second = await crawlBySitemap('/sitemap.xml', 'run-2');
      expect(fixture.site.requests).toEqual(['/sitemap.xml', '/c']);
      expect(indexed(second)).toEqual(indexed(first));
    });

    it('finds the sitemap in robots.txt, or else at the default location', async () => {
      let robots = '';
      fixture.site.app.get('/robots.txt', (_request, response) => void response.type('text').send(robots));
      sitemap('/maps/all.xml', urlset(['/named']));
      sitemap('/sitemap.xml', urlset(['/default']));
      page('/', 'Home', '<p>No links.</p>');
      page('/named', 'Named', '<p>One.</p>');
      page('/default', 'Default', '<p>Two.</p>');
      expect(indexed(await crawl())).toEqual(['/', '/default']);
      robots = 'Sitemap: /maps/all.xml';
      const later = startTestCrawler({ html: reader });
      expect(indexed(await later.run('crawl-site', buildSiteJob({ rootUrl: `${fixture.site.origin}/` })))).toEqual([
        '/',
        '/named',
      ]);
      await later.close();
    });
  });
});
