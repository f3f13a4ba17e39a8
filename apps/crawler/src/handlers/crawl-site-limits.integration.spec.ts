import { describe, expect, it } from 'vitest';
import { buildSiteJob } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const fixture = useSiteCrawl();
const { crawl, buildPage, listIndexed, listNotIndexed, buildLinks, addPage } = fixture;

describe('a crawl from its root', () => {
  describe('a crawl with limits and rules', () => {
    const serveChain = (): void => {
      fixture.site.app.get(['/', '/n/:n'], (request, response) => {
        const n = Number(request.params['n'] ?? 0);
        response.type('html').send(buildPage(`N ${n}`, `<p>Number ${n}.</p>${buildLinks(`/n/${n + 1}`)}`));
      });
    };

    it('a crawl follows links up to the depth `maxDepth`, and ends complete although the site has deeper pages', async () => {
      serveChain();
      const output = await crawl({ maxDepth: 3 });
      expect(listIndexed(output)).toEqual(['/', '/n/1', '/n/2', '/n/3']);
      expect(output.enumerated).toEqual([expect.objectContaining({ discovered: 4, complete: true })]);
    });

    it('if a site has more pages than `maxPages`, a crawl indexes `maxPages` pages, and ends incomplete', async () => {
      serveChain();
      const output = await crawl({ maxPages: 5 });
      expect(output.indexed).toHaveLength(5);
      expect(output.enumerated).toEqual([expect.objectContaining({ discovered: 6, complete: false })]);
      expect(output.enumerated[0]?.note).toContain('limit of 5');
      expect(output.enumerated[0]?.notes).toMatchObject([{ code: 'page_limit_reached', parameters: { limit: 5 } }]);
      expect(listNotIndexed(output)).toEqual(['/n/5 skipped limit_reached']);
    });

    it('a crawl follows no nofollow links, and no links to other hosts, assets, excluded paths or crawler traps', async () => {
      addPage(
        '/',
        'Home',
        [
          buildLinks(
            'http://elsewhere.example/',
            '/picture.png',
            '/tag/x',
            '/included',
            'mailto:a@example.com',
            '/a/b/a/b/a/b/a/b/',
          ),
          '<a rel="nofollow" href="/unfollowed">x</a>',
        ].join(''),
      );
      addPage('/included', 'Included', '<p>Text.</p>', '<meta name="robots" content="nofollow">');
      const output = await crawl({ exclude: ['/tag/'] });
      expect(listIndexed(output)).toEqual(['/', '/included']);
      expect(fixture.site.requests).toEqual(['/', '/sitemap.xml', '/included']);
    });

    it('if the include rules do not match the root page, a crawl follows the links of the root page, but does not index it', async () => {
      addPage('/', 'Home', buildLinks('/blog/1', '/shop/1'));
      addPage('/blog/1', 'Post', '<p>Text.</p>');
      expect(listIndexed(await crawl({ include: ['/blog/'] }))).toEqual(['/blog/1']);
    });

    it('if the root URL redirects to a page in a directory, a crawl also indexes pages outside of this directory', async () => {
      fixture.site.app.get('/', (_request, response) => {
        response.redirect('/en/');
      });
      addPage('/en/', 'Home', buildLinks('/en/a', '/other'));
      addPage('/en/a', 'A', '<p>Text.</p>');
      addPage('/other', 'Other', '<p>More text.</p>');
      expect(listIndexed(await crawl())).toEqual(['/en/', '/en/a', '/other']);
      const below = await fixture.crawler.run(
        'crawl-site',
        buildSiteJob({ rootUrl: `${fixture.site.origin}/en/` }, 'run-2'),
      );
      expect(listIndexed(below)).toEqual(['/en/', '/en/a']);
    });

    it('a crawl enqueues linked files that ingestion supports', async () => {
      addPage('/', 'Home', buildLinks('/report.pdf', '/data.csv'));
      fixture.site.app.get(
        '/report.pdf',
        (_request, response) => void response.type('application/pdf').send('%PDF-1.7'),
      );
      fixture.site.app.get(
        '/data.csv',
        (_request, response) =>
          void response.set('content-type', 'text/csv; charset=iso-8859-1').send(Buffer.from('a,b\nä,ö\n', 'latin1')),
      );
      const output = await crawl();
      expect(output.indexed.map(({ name, mimeType }) => [name, mimeType])).toEqual([
        ['Home', 'text/markdown'],
        ['report.pdf', 'application/pdf'],
        ['data.csv', 'text/csv'],
      ]);
      await expect(fixture.crawler.readBlob(output.indexed[2]?.blobKey ?? '')).resolves.toBe('a,b\nä,ö\n');
    });
  });
});
