import { describe, expect, it } from 'vitest';
import { siteJob } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const used = useSiteCrawl();
const { crawl, html, indexed, left, links, page } = used;

describe('a crawl from its root', () => {
  describe('how far it goes', () => {
    const chain = (): void => {
      used.site.app.get(['/', '/n/:n'], (request, response) => {
        const n = Number(request.params['n'] ?? 0);
        response.type('html').send(html(`N ${n}`, `<p>Number ${n}.</p>${links(`/n/${n + 1}`)}`));
      });
    };

    it('is as many links as it may, and what is further is not part of the site', async () => {
      chain();
      const told = await crawl({ maxDepth: 3 });
      expect(indexed(told)).toEqual(['/', '/n/1', '/n/2', '/n/3']);
      expect(told.enumerated).toEqual([expect.objectContaining({ discovered: 4, complete: true })]);
    });

    it('is as many pages as it may, and what is beyond does not count as gone', async () => {
      chain();
      const told = await crawl({ maxPages: 5 });
      expect(told.indexed).toHaveLength(5);
      expect(told.enumerated).toEqual([expect.objectContaining({ discovered: 6, complete: false })]);
      expect(told.enumerated[0]?.note).toContain('limit of 5');
      expect(left(told)).toEqual(['/n/5 skipped limit_reached']);
    });

    it('is the site: no other hosts, no assets, nothing that is left out, no links that are not to be followed', async () => {
      page(
        '/',
        'Home',
        [
          links(
            'http://elsewhere.example/',
            '/picture.png',
            '/tag/x',
            '/kept',
            'mailto:a@example.com',
            '/a/b/a/b/a/b/a/b/',
          ),
          '<a rel="nofollow" href="/unfollowed">x</a>',
        ].join(''),
      );
      page('/kept', 'Kept', '<p>Text.</p>', '<meta name="robots" content="nofollow">');
      const told = await crawl({ exclude: ['/tag/'] });
      expect(indexed(told)).toEqual(['/', '/kept']);
      expect(used.site.requests).toEqual(['/', '/sitemap.xml', '/kept']);
    });

    it('begins at a root that is not itself wanted', async () => {
      page('/', 'Home', links('/blog/1', '/shop/1'));
      page('/blog/1', 'Post', '<p>Text.</p>');
      expect(indexed(await crawl({ include: ['/blog/'] }))).toEqual(['/blog/1']);
    });

    it('goes where the root was moved to', async () => {
      used.site.app.get('/', (_request, response) => {
        response.redirect('/en/');
      });
      page('/en/', 'Home', links('/en/a', '/other'));
      page('/en/a', 'A', '<p>Text.</p>');
      page('/other', 'Other', '<p>More text.</p>');
      expect(indexed(await crawl())).toEqual(['/en/', '/en/a', '/other']);
      const below = await used.crawler.run('crawl-site', siteJob({ rootUrl: `${used.site.origin}/en/` }, 'run-2'));
      expect(indexed(below)).toEqual(['/en/', '/en/a']);
    });

    it('takes files that ingestion reads', async () => {
      page('/', 'Home', links('/report.pdf', '/data.csv'));
      used.site.app.get('/report.pdf', (_request, response) => void response.type('application/pdf').send('%PDF-1.7'));
      used.site.app.get(
        '/data.csv',
        (_request, response) =>
          void response.set('content-type', 'text/csv; charset=iso-8859-1').send(Buffer.from('a,b\nä,ö\n', 'latin1')),
      );
      const told = await crawl();
      expect(told.indexed.map(({ name, mimeType }) => [name, mimeType])).toEqual([
        ['Home', 'text/markdown'],
        ['report.pdf', 'application/pdf'],
        ['data.csv', 'text/csv'],
      ]);
      await expect(used.crawler.blob(told.indexed[2]?.blobKey ?? '')).resolves.toBe('a,b\nä,ö\n');
    });
  });
});
