import { describe, expect, it } from 'vitest';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const fixture = useSiteCrawl();
const { crawl, html, indexed, notIndexed, links, page } = fixture;

describe('the pages of a site', () => {
  describe('that are not indexed', () => {
    it('are recorded with the reason', async () => {
      const { app } = fixture.site;
      app.get(
        '/robots.txt',
        (_request, response) => void response.type('text').send('User-agent: *\nDisallow: /private'),
      );
      page(
        '/',
        'Home',
        links('/a', '/hidden', '/missing', '/private/x', '/film.m4p', '/away', '/broken', '/app', '/lost', '/ring-1'),
      );
      page('/a', 'A', '<p>Text of A.</p>');
      page('/hidden', 'Hidden', links('/behind'), '<meta name="robots" content="noindex">');
      page('/behind', 'Behind', '<p>Behind a page that is not indexed.</p>');
      page('/lost', 'Page not found', '<p>Sorry.</p>');
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
      expect(indexed(output)).toEqual(['/', '/a', '/behind']);
      expect(notIndexed(output)).toEqual([
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

    it('are recorded with the reason if they were indexed before', async () => {
      let exists = true;
      page('/', 'Home', links('/a', '/b'));
      page('/b', 'B', '<p>Text of B.</p>');
      fixture.site.app.get('/a', (_request, response) => {
        if (exists) response.type('html').send(html('A', 'Text'));
        else response.status(410).end();
      });
      expect(indexed(await crawl())).toEqual(['/', '/a', '/b']);
      exists = false;
      for (const runId of ['run-2', 'run-3']) {
        const output = await crawl({}, runId);
        expect(indexed(output)).toEqual(['/', '/b']);
        expect(notIndexed(output)).toEqual(['/a skipped gone']);
        expect(output.enumerated).toEqual([expect.objectContaining({ discovered: 3, complete: true })]);
      }
      exists = true;
      expect(indexed(await crawl({}, 'run-4'))).toEqual(['/', '/a', '/b']);
    });

    it('are recorded as failed if they cannot be fetched, and keep their earlier links', async () => {
      let broken = false;
      page('/', 'Home', links('/list'));
      page('/item', 'Item', '<p>Only the list leads here.</p>');
      fixture.site.app.get('/list', (_request, response) => {
        if (broken) response.status(503).end();
        else response.type('html').send(html('List', links('/item')));
      });
      await crawl();
      broken = true;
      const output = await crawl({}, 'run-2');
      expect(indexed(output)).toEqual(['/', '/item']);
      expect(notIndexed(output)).toEqual(['/list failed fetch_failed']);
      expect(output.enumerated).toEqual([expect.objectContaining({ discovered: 3, complete: true })]);
    });
  });

  describe('with duplicates', () => {
    it('are indexed once per content and canonical URL', async () => {
      page('/', 'Home', links('/a', '/a-copy', '/shirt?colour=red', '/shirt?colour=blue', '/self'));
      page('/a', 'A', '<p>Text of A.</p>');
      page('/a-copy', 'A', '<p>Text of A.</p>');
      fixture.site.app.get('/shirt', (request, response) => {
        const body = `<p>A shirt, ${JSON.stringify(request.query)}.</p>`;
        response.type('html').send(html('Shirt', body, '<link rel="canonical" href="/shirt">'));
      });
      page('/self', 'Self', '<p>Me.</p>', '<link rel="canonical" href="/self#top">');
      const output = await crawl();
      expect(indexed(output)).toEqual(['/', '/a', '/self', '/shirt']);
      expect(notIndexed(output)).toEqual([
        '/a-copy skipped duplicate_of',
        '/shirt?colour=blue skipped duplicate_of',
        '/shirt?colour=red skipped duplicate_of',
      ]);
      expect(output.settled.find(({ documentKey }) => documentKey.endsWith('red'))?.message).toContain(
        `${fixture.site.origin}/shirt`,
      );
    });

    it('are indexed at their own URL if the canonical URL is missing, on another site or a different home page', async () => {
      page('/', 'Home', links('/a', '/b', '/c', '/d', '/e'));
      page('/a', 'A', '<p>Names a page that is not there.</p>', '<link rel="canonical" href="/nowhere">');
      page('/b', 'B', '<p>Names another site.</p>', '<link rel="canonical" href="http://elsewhere.example/b">');
      page('/c', 'C', '<p>Names the home page by mistake.</p>', '<link rel="canonical" href="/">');
      page('/d', 'D', '<p>Names E.</p>', '<link rel="canonical" href="/e">');
      page('/e', 'E', '<p>Names D.</p>', '<link rel="canonical" href="/d">');
      const output = await crawl();
      expect(indexed(output)).toEqual(['/', '/a', '/b', '/c', '/d']);
      expect(notIndexed(output)).toEqual(['/e skipped duplicate_of', '/nowhere skipped not_found']);
    });

    it('do not include redirects', async () => {
      page('/', 'Home', links('/old', '/new', '/older'));
      page('/new', 'New', '<p>Text.</p>');
      fixture.site.app.get('/old', (_request, response) => {
        response.redirect(301, '/new');
      });
      fixture.site.app.get('/older', (_request, response) => {
        response.redirect(301, '/old');
      });
      const output = await crawl();
      expect(indexed(output)).toEqual(['/', '/new']);
      expect(output.enumerated).toEqual([expect.objectContaining({ discovered: 2, complete: true })]);
    });
  });
});
