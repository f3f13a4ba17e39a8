import { describe, expect, it } from 'vitest';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const used = useSiteCrawl();
const { crawl, html, indexed, left, links, page } = used;

describe('the pages of a site', () => {
  describe('what is not indexed', () => {
    it('is named with the reason', async () => {
      const { app } = used.site;
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
      const told = await crawl();
      expect(indexed(told)).toEqual(['/', '/a', '/behind']);
      expect(left(told)).toEqual([
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
      expect(told.enumerated).toEqual([expect.objectContaining({ discovered: 13, complete: false })]);
      expect(told.enumerated[0]?.note).toContain('/broken');
      expect(used.site.requests).not.toContain('/private/x');
      expect(told.settled.every(({ message, source }) => (message?.length ?? 0) > 10 && source !== undefined)).toBe(
        true,
      );
    });

    it('was indexed before: it is named with its reason, so that the gateway can remove it', async () => {
      let there = true;
      page('/', 'Home', links('/a', '/b'));
      page('/b', 'B', '<p>Text of B.</p>');
      used.site.app.get('/a', (_request, response) => {
        if (there) response.type('html').send(html('A', 'Text'));
        else response.status(410).end();
      });
      expect(indexed(await crawl())).toEqual(['/', '/a', '/b']);
      there = false;
      for (const runId of ['run-2', 'run-3']) {
        const told = await crawl({}, runId);
        expect(indexed(told)).toEqual(['/', '/b']);
        expect(left(told)).toEqual(['/a skipped gone']);
        expect(told.enumerated).toEqual([expect.objectContaining({ discovered: 3, complete: true })]);
      }
      there = true;
      expect(indexed(await crawl({}, 'run-4'))).toEqual(['/', '/a', '/b']);
    });

    it('could not be had this time: it is named as failed, its links are those of before, and nothing counts as gone', async () => {
      let broken = false;
      page('/', 'Home', links('/list'));
      page('/item', 'Item', '<p>Only the list leads here.</p>');
      used.site.app.get('/list', (_request, response) => {
        if (broken) response.status(503).end();
        else response.type('html').send(html('List', links('/item')));
      });
      await crawl();
      broken = true;
      const told = await crawl({}, 'run-2');
      expect(indexed(told)).toEqual(['/', '/item']);
      expect(left(told)).toEqual(['/list failed fetch_failed']);
      expect(told.enumerated).toEqual([expect.objectContaining({ discovered: 3, complete: true })]);
    });
  });

  describe('the same page under several addresses', () => {
    it('is indexed once: by what it holds, and by the address that it names', async () => {
      page('/', 'Home', links('/a', '/a-copy', '/shirt?colour=red', '/shirt?colour=blue', '/self'));
      page('/a', 'A', '<p>Text of A.</p>');
      page('/a-copy', 'A', '<p>Text of A.</p>');
      used.site.app.get('/shirt', (request, response) => {
        const body = `<p>A shirt, ${JSON.stringify(request.query)}.</p>`;
        response.type('html').send(html('Shirt', body, '<link rel="canonical" href="/shirt">'));
      });
      page('/self', 'Self', '<p>Me.</p>', '<link rel="canonical" href="/self#top">');
      const told = await crawl();
      expect(indexed(told)).toEqual(['/', '/a', '/self', '/shirt']);
      expect(left(told)).toEqual([
        '/a-copy skipped duplicate_of',
        '/shirt?colour=blue skipped duplicate_of',
        '/shirt?colour=red skipped duplicate_of',
      ]);
      expect(told.settled.find(({ documentKey }) => documentKey.endsWith('red'))?.message).toContain(
        `${used.site.origin}/shirt`,
      );
    });

    it('is indexed where it is when the address that it names cannot be: a missing page, another site, a home page that is different', async () => {
      page('/', 'Home', links('/a', '/b', '/c', '/d', '/e'));
      page('/a', 'A', '<p>Names a page that is not there.</p>', '<link rel="canonical" href="/nowhere">');
      page('/b', 'B', '<p>Names another site.</p>', '<link rel="canonical" href="http://elsewhere.example/b">');
      page('/c', 'C', '<p>Names the home page by mistake.</p>', '<link rel="canonical" href="/">');
      page('/d', 'D', '<p>Names E.</p>', '<link rel="canonical" href="/e">');
      page('/e', 'E', '<p>Names D.</p>', '<link rel="canonical" href="/d">');
      const told = await crawl();
      expect(indexed(told)).toEqual(['/', '/a', '/b', '/c', '/d']);
      expect(left(told)).toEqual(['/e skipped duplicate_of', '/nowhere skipped not_found']);
    });

    it('counts redirects as other names of their target', async () => {
      page('/', 'Home', links('/old', '/new', '/older'));
      page('/new', 'New', '<p>Text.</p>');
      used.site.app.get('/old', (_request, response) => {
        response.redirect(301, '/new');
      });
      used.site.app.get('/older', (_request, response) => {
        response.redirect(301, '/old');
      });
      const told = await crawl();
      expect(indexed(told)).toEqual(['/', '/new']);
      expect(told.enumerated).toEqual([expect.objectContaining({ discovered: 2, complete: true })]);
    });
  });
});
