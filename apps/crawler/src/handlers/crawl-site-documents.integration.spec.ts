import { describe, expect, it } from 'vitest';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const fixture = useSiteCrawl();
const { crawl, buildPage, listIndexed, listNotIndexed, buildLinks, addPage } = fixture;

describe('the pages of a site', () => {
  describe('pages that are not indexed', () => {
    it('a crawl records each page that it does not index, with the reason', async () => {
      const { app } = fixture.site;
      app.get(
        '/robots.txt',
        (_request, response) => void response.type('text').send('User-agent: *\nDisallow: /private'),
      );
      addPage(
        '/',
        'Home',
        buildLinks(
          '/a',
          '/hidden',
          '/missing',
          '/private/x',
          '/film.m4p',
          '/away',
          '/broken',
          '/app',
          '/lost',
          '/ring-1',
        ),
      );
      addPage('/a', 'A', '<p>Text of A.</p>');
      addPage('/hidden', 'Hidden', buildLinks('/behind'), '<meta name="robots" content="noindex">');
      addPage('/behind', 'Behind', '<p>Behind a page that is not indexed.</p>');
      addPage('/lost', 'Page not found', '<p>Sorry.</p>');
      app.get('/film.m4p', (_request, response) => void response.type('video/mp4').send('film'));
      app.get('/away', (_request, response) => {
        response.redirect('http://elsewhere.example/');
      });
      app.get('/ring-1', (_request, response) => {
        response.redirect('/ring-2');
      });
      app.get('/ring-2', (_request, response) => {
        response.redirect('/ring-1');
      });
      app.get('/broken', (_request, response) => void response.status(500).end());
      app.get(
        '/app',
        (_request, response) =>
          void response.type('html').send('<body><div id="app"></div><script src="/x.js"></script>'),
      );
      const output = await crawl();
      expect(listIndexed(output)).toEqual(['/', '/a', '/behind']);
      expect(listNotIndexed(output)).toEqual([
        '/app failed needs_rendering',
        '/away skipped redirected_out_of_scope',
        '/broken failed fetch_failed',
        '/film.m4p skipped unsupported_type',
        '/hidden skipped noindex',
        '/lost skipped soft_404',
        '/missing skipped not_found',
        '/private/x skipped robots_disallowed',
        '/ring-1 failed redirect_loop',
        '/ring-2 failed redirect_loop',
      ]);
      expect(output.enumerated).toEqual([expect.objectContaining({ discovered: 13, complete: false })]);
      expect(output.enumerated[0]?.note).toContain('/broken');
      expect(fixture.site.requests).not.toContain('/private/x');
      expect(output.settled.every(({ message, source }) => (message?.length ?? 0) > 10 && source !== undefined)).toBe(
        true,
      );
    });

    it('if an indexed page is removed from the site, each later crawl records the page as skipped, with the reason', async () => {
      let exists = true;
      addPage('/', 'Home', buildLinks('/a', '/b'));
      addPage('/b', 'B', '<p>Text of B.</p>');
      fixture.site.app.get('/a', (_request, response) => {
        if (exists) response.type('html').send(buildPage('A', 'Text'));
        else response.status(410).end();
      });
      expect(listIndexed(await crawl())).toEqual(['/', '/a', '/b']);
      exists = false;
      for (const runId of ['run-2', 'run-3']) {
        const output = await crawl({}, runId);
        expect(listIndexed(output)).toEqual(['/', '/b']);
        expect(listNotIndexed(output)).toEqual(['/a skipped gone']);
        expect(output.enumerated).toEqual([expect.objectContaining({ discovered: 3, complete: true })]);
      }
      exists = true;
      expect(listIndexed(await crawl({}, 'run-4'))).toEqual(['/', '/a', '/b']);
    });

    it('if a page becomes unavailable, a crawl records the page as failed, and follows the links that an earlier crawl found on it', async () => {
      let broken = false;
      addPage('/', 'Home', buildLinks('/list'));
      addPage('/item', 'Item', '<p>Only the list leads here.</p>');
      fixture.site.app.get('/list', (_request, response) => {
        if (broken) response.status(503).end();
        else response.type('html').send(buildPage('List', buildLinks('/item')));
      });
      await crawl();
      broken = true;
      const output = await crawl({}, 'run-2');
      expect(listIndexed(output)).toEqual(['/', '/item']);
      expect(listNotIndexed(output)).toEqual(['/list failed fetch_failed']);
      expect(output.enumerated).toEqual([expect.objectContaining({ discovered: 3, complete: true })]);
    });
  });

  describe('duplicate pages', () => {
    it('a crawl indexes only one of several pages with the same content or the same canonical URL', async () => {
      addPage('/', 'Home', buildLinks('/a', '/a-copy', '/shirt?colour=red', '/shirt?colour=blue', '/self'));
      addPage('/a', 'A', '<p>Text of A.</p>');
      addPage('/a-copy', 'A', '<p>Text of A.</p>');
      fixture.site.app.get('/shirt', (request, response) => {
        const body = `<p>A shirt, ${JSON.stringify(request.query)}.</p>`;
        response.type('html').send(buildPage('Shirt', body, '<link rel="canonical" href="/shirt">'));
      });
      addPage('/self', 'Self', '<p>Me.</p>', '<link rel="canonical" href="/self#top">');
      const output = await crawl();
      expect(listIndexed(output)).toEqual(['/', '/a', '/self', '/shirt']);
      expect(listNotIndexed(output)).toEqual([
        '/a-copy skipped duplicate_of',
        '/shirt?colour=blue skipped duplicate_of',
        '/shirt?colour=red skipped duplicate_of',
      ]);
      expect(output.settled.find(({ documentKey }) => documentKey.endsWith('red'))?.message).toContain(
        `${fixture.site.origin}/shirt`,
      );
    });

    it('a crawl indexes a page at its own URL if the canonical URL does not exist, is on another site or is the home page', async () => {
      addPage('/', 'Home', buildLinks('/a', '/b', '/c', '/d', '/e'));
      addPage('/a', 'A', '<p>Names a page that is not there.</p>', '<link rel="canonical" href="/nowhere">');
      addPage('/b', 'B', '<p>Names another site.</p>', '<link rel="canonical" href="http://elsewhere.example/b">');
      addPage('/c', 'C', '<p>Names the home page by mistake.</p>', '<link rel="canonical" href="/">');
      addPage('/d', 'D', '<p>Names E.</p>', '<link rel="canonical" href="/e">');
      addPage('/e', 'E', '<p>Names D.</p>', '<link rel="canonical" href="/d">');
      const output = await crawl();
      expect(listIndexed(output)).toEqual(['/', '/a', '/b', '/c', '/d']);
      expect(listNotIndexed(output)).toEqual(['/e skipped duplicate_of', '/nowhere skipped not_found']);
    });

    it('a crawl indexes the target of several redirects once, and records no document for a URL that redirects', async () => {
      addPage('/', 'Home', buildLinks('/old', '/new', '/older'));
      addPage('/new', 'New', '<p>Text.</p>');
      fixture.site.app.get('/old', (_request, response) => {
        response.redirect(301, '/new');
      });
      fixture.site.app.get('/older', (_request, response) => {
        response.redirect(301, '/old');
      });
      const output = await crawl();
      expect(listIndexed(output)).toEqual(['/', '/new']);
      expect(output.enumerated).toEqual([expect.objectContaining({ discovered: 2, complete: true })]);
    });
  });
});
