import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { localSite } from '../testing/local-site.js';
import { siteJob, testCrawler, type Told } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const used = useSiteCrawl();
const { crawl, html, indexed, links, page, reader } = used;

describe('a crawl', () => {
  describe('by sitemap', () => {
    const sitemap = (path: string, body: string | Buffer, type = 'application/xml'): void => {
      used.site.app.get(path, (_request, response) => void response.type(type).send(body));
    };
    const urlset = (...entries: readonly (readonly [path: string, modified?: string])[]): string =>
      `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries
        .map(
          ([path, modified]) =>
            `<url><loc>${used.site.origin}${path}</loc>${modified === undefined ? '' : `<lastmod>${modified}</lastmod>`}</url>`,
        )
        .join('')}</urlset>`;
    const bySitemap = (path = '/sitemap.xml', runId?: string): Promise<Told> =>
      used.crawler.run('crawl-site', siteJob({ sitemap: used.site.origin + path }, runId));

    it('takes the pages that it lists and follows no links', async () => {
      sitemap('/sitemap.xml', urlset(['/a'], ['/b?x=1&amp;y=2'], ['/a#top']));
      page('/a', 'A', links('/c'));
      page('/b', 'B', '<p>Text of B.</p>');
      const told = await bySitemap();
      expect(indexed(told)).toEqual(['/a', '/b?x=1&y=2']);
      expect(told.enumerated).toEqual([expect.objectContaining({ discovered: 2, complete: true })]);
    });

    it('reads an index of gzipped sitemaps', async () => {
      sitemap(
        '/index.xml',
        `<sitemapindex><sitemap><loc>${used.site.origin}/s1.xml.gz</loc></sitemap><sitemap><loc>/s2.xml</loc></sitemap></sitemapindex>`,
      );
      sitemap('/s1.xml.gz', gzipSync(urlset(['/a'])), 'application/octet-stream');
      sitemap('/s2.xml', urlset(['/b']));
      page('/a', 'A', '<p>Text of A.</p>');
      page('/b', 'B', '<p>Text of B.</p>');
      expect(indexed(await bySitemap('/index.xml'))).toEqual(['/a', '/b']);
    });

    it('is not complete when a part of it cannot be read, and says which', async () => {
      sitemap(
        '/index.xml',
        `<sitemapindex><sitemap><loc>/s1.xml</loc></sitemap><sitemap><loc>/s2.xml</loc></sitemap></sitemapindex>`,
      );
      sitemap('/s1.xml', urlset(['/a']));
      page('/a', 'A', '<p>Text of A.</p>');
      const told = await bySitemap('/index.xml');
      expect(indexed(told)).toEqual(['/a']);
      expect(told.enumerated).toEqual([expect.objectContaining({ discovered: 1, complete: false })]);
      expect(told.enumerated[0]?.note).toContain(`${used.site.origin}/s2.xml`);
    });

    it('reads no endless tree of sitemaps, and then does not take for gone what it has not read', async () => {
      used.site.app.get('/s/:n', (request, response) => {
        const n = Number(request.params.n);
        const named = [2 * n, 2 * n + 1].map((next) => `<sitemap><loc>/s/${next}</loc></sitemap>`).join('');
        response.type('application/xml').send(`<sitemapindex>${named}<url><loc>/p/${n}</loc></url></sitemapindex>`);
      });
      used.site.app.get('/p/:n', (request, response) => {
        response.type('html').send(html(`P ${request.params.n}`, `<p>Page ${request.params.n}.</p>`));
      });
      const told = await bySitemap('/s/1');
      expect(used.site.requests.filter((path) => path.startsWith('/s/'))).toHaveLength(1 + 2 + 4 + 8);
      expect(told.enumerated).toEqual([expect.objectContaining({ complete: false })]);
      expect(told.enumerated[0]?.note).toContain('more sitemaps than are read');
    });

    it.each([
      ['a page of HTML', '<!doctype html><html><body>Not found</body></html>', 'sitemap_unreadable', /page of HTML/],
      ['nothing', '', 'sitemap_unreadable', /empty/],
      ['no addresses', '<urlset></urlset>', 'sitemap_empty', /lists no page/],
      [
        'pages of others alone',
        '<urlset><url><loc>http://elsewhere.example/</loc></url></urlset>',
        'sitemap_empty',
        /elsewhere\.example/,
      ],
      ['broken gzip', gzipSync('x'.repeat(1_000)).subarray(0, 15), 'sitemap_unreadable', /gzip/],
    ])('ends in error for %s', async (_what, body, code, message) => {
      sitemap('/sitemap.xml', body, 'application/octet-stream');
      const told = await bySitemap();
      expect(told.statuses.at(-1)).toMatchObject({ status: 'error', code });
      expect(told.statuses.at(-1)?.message).toMatch(message);
      expect(told.enumerated).toEqual([]);
    });

    it('ends in error when it is not there', async () => {
      const told = await bySitemap('/none.xml');
      expect(told.statuses.at(-1)).toMatchObject({
        status: 'error',
        code: 'sitemap_unreadable',
        message: expect.stringContaining('404') as string,
      });
    });

    it('takes pages of another site whose robots.txt names the sitemap', async () => {
      const other = await localSite();
      other.app.get(
        '/robots.txt',
        (_request, response) => void response.type('text').send(`Sitemap: ${used.site.origin}/sitemap.xml`),
      );
      other.app.get('/x', (_request, response) => void response.type('html').send(html('X', '<p>Text of X.</p>')));
      sitemap(
        '/sitemap.xml',
        `<urlset><url><loc>${other.origin}/x</loc></url><url><loc>http://elsewhere.example/</loc></url></urlset>`,
      );
      const told = await bySitemap();
      expect(told.indexed.map(({ documentKey }) => documentKey)).toEqual([`${other.origin}/x`]);
      expect(told.enumerated[0]).toMatchObject({
        discovered: 2,
        complete: true,
        note: expect.stringContaining('elsewhere.example') as string,
      });
      await other.close();
    });

    it('believes its dates for pages that the server gives nothing to recognise by', async () => {
      used.site.app.disable('etag');
      sitemap('/sitemap.xml', urlset(['/a', '2020-01-01'], ['/b', '2020-01-01T00:00:00Z'], ['/c']));
      page('/a', 'A', '<p>Text of A.</p>');
      page('/b', 'B', '<p>Text of B.</p>');
      page('/c', 'C', '<p>Text of C.</p>');
      const first = await bySitemap();
      used.site.forget();
      const second = await bySitemap('/sitemap.xml', 'run-2');
      expect(used.site.requests).toEqual(['/sitemap.xml', '/c']);
      expect(indexed(second)).toEqual(indexed(first));
    });

    it('is found through robots.txt, and else at its usual place', async () => {
      let robots = '';
      used.site.app.get('/robots.txt', (_request, response) => void response.type('text').send(robots));
      sitemap('/maps/all.xml', urlset(['/named']));
      sitemap('/sitemap.xml', urlset(['/usual']));
      page('/', 'Home', '<p>No links.</p>');
      page('/named', 'Named', '<p>One.</p>');
      page('/usual', 'Usual', '<p>Two.</p>');
      expect(indexed(await crawl())).toEqual(['/', '/usual']);
      robots = 'Sitemap: /maps/all.xml';
      const later = testCrawler({ html: reader });
      expect(indexed(await later.run('crawl-site', siteJob({ rootUrl: `${used.site.origin}/` })))).toEqual([
        '/',
        '/named',
      ]);
      await later.close();
    });
  });
});
