import { describe, expect, it } from 'vitest';
import { buildSiteJob } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const fixture = useSiteCrawl();
const { crawl, html, indexed, notIndexed, links, page } = fixture;

describe('a crawl from its root', () => {
  describe('with limits and rules', () => {
    const chain = (): void => {
      fixture.site.app.get(['/', '/n/:n'], (request, response) => {
        const n = Number(request.params['n'] ?? 0);
        response.type('html').send(html(`N ${n}`, `<p>Number ${n}.</p>${links(`/n/${n + 1}`)}`));
      });
    };

    it('ends at the maximum depth, and is complete', async () => {
      chain();
      const output = await crawl({ maxDepth: 3 });
      expect(indexed(output)).toEqual(['/', '/n/1', '/n/2', '/n/3']);
      expect(output.enumerated).toEqual([expect.objectContaining({ discovered: 4, complete: true })]);
    });

    it('ends at the maximum number of pages, and is not complete', async () => {
      chain();
      const output = await crawl({ maxPages: 5 });
      expect(output.indexed).toHaveLength(5);
      expect(output.enumerated).toEqual([expect.objectContaining({ discovered: 6, complete: false })]);
      expect(output.enumerated[0]?.note).toContain('limit of 5');
      expect(notIndexed(output)).toEqual(['/n/5 skipped limit_reached']);
    });

    it('excludes other hosts, assets, excluded paths and nofollow links', async () => {
      page(
        '/',
        'Home',
        [
          links(
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
      page('/included', 'Included', '<p>Text.</p>', '<meta name="robots" content="nofollow">');
      const output = await crawl({ exclude: ['/tag/'] });
      expect(indexed(output)).toEqual(['/', '/included']);
      expect(fixture.site.requests).toEqual(['/', '/sitemap.xml', '/included']);
    });

    it('starts at a root outside the include rules', async () => {
      page('/', 'Home', links('/blog/1', '/shop/1'));
      page('/blog/1', 'Post', '<p>Text.</p>');
      expect(indexed(await crawl({ include: ['/blog/'] }))).toEqual(['/blog/1']);
    });

    it('follows a redirect of the root', async () => {
      fixture.site.app.get('/', (_request, response) => {
        response.redirect('/en/');
      });
      page('/en/', 'Home', links('/en/a', '/other'));
      page('/en/a', 'A', '<p>Text.</p>');
      page('/other', 'Other', '<p>More text.</p>');
      expect(indexed(await crawl())).toEqual(['/en/', '/en/a', '/other']);
      const below = await fixture.crawler.run(
        'crawl-site',
        buildSiteJob({ rootUrl: `${fixture.site.origin}/en/` }, 'run-2'),
      );
      expect(indexed(below)).toEqual(['/en/', '/en/a']);
    });

    it('includes files that ingestion supports', async () => {
      page('/', 'Home', links('/report.pdf', '/data.csv'));
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
      await expect(fixture.crawler.blob(output.indexed[2]?.blobKey ?? '')).resolves.toBe('a,b\nä,ö\n');
    });
  });
});
