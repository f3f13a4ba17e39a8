import { describe, expect, it } from 'vitest';
import { buildPageJob, buildSiteJob } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const fixture = useSiteCrawl();

/**
 * Serves a page only if the query string is exactly `query`, as servers of signed URLs do. Otherwise responds with 403.
 */
function serveSignedPage(path: string, query: string): void {
  fixture.site.app.get(path, (request, response) => {
    const isSigned = request.originalUrl === `${path}?${query}`;
    response.status(isSigned ? 200 : 403).type('html');
    response.send(fixture.buildPage('Signed', '<p>Only those who have the signed URL can read this page.</p>'));
  });
}

describe('the URLs of a crawl', () => {
  it('a crawl requests a URL exactly as a page links to it', async () => {
    fixture.addPage('/', 'Home', fixture.buildLinks('/signed?z=1&a=2&utm_source=home'));
    serveSignedPage('/signed', 'z=1&a=2&utm_source=home');
    const output = await fixture.crawl();
    expect(fixture.listIndexed(output)).toEqual(['/', '/signed?a=2&z=1']);
    expect(output.indexed.find(({ documentKey }) => documentKey.includes('signed'))?.source).toBe(
      `${fixture.site.origin}/signed?z=1&a=2&utm_source=home`,
    );
  });

  it('a crawl decodes the target of a redirect as UTF-8', async () => {
    fixture.addPage('/', 'Home', `<p>All pages.</p>${fixture.buildLinks('/old')}`);
    fixture.site.app.get('/old', (_request, response) => {
      response.writeHead(302, { location: Buffer.from('/straße').toString('latin1') }).end();
    });
    fixture.addPage('/stra%C3%9Fe', 'Street', '<p>Text of the street.</p>');
    const output = await fixture.crawl();
    expect(fixture.listIndexed(output)).toEqual(['/', '/stra%C3%9Fe']);
  });

  it('a crawl requests a URL exactly as a sitemap lists it', async () => {
    fixture.site.app.get('/sitemap.txt', (_request, response) => {
      response.type('text').send(`${fixture.site.origin}/signed?z=1&a=2\n`);
    });
    serveSignedPage('/signed', 'z=1&a=2');
    const output = await fixture.crawler.run(
      'crawl-site',
      buildSiteJob({ sitemap: `${fixture.site.origin}/sitemap.txt` }),
    );
    expect(fixture.listIndexed(output)).toEqual(['/signed?a=2&z=1']);
  });

  it('a crawl requests a URL exactly as the job contains it', async () => {
    serveSignedPage('/signed', 'z=1&a=2&utm_source=x');
    const output = await fixture.crawler.run(
      'crawl-page',
      buildPageJob(`${fixture.site.origin}/signed?z=1&a=2&utm_source=x`),
    );
    expect(output.indexed.map(({ documentKey }) => documentKey)).toEqual([`${fixture.site.origin}/signed?a=2&z=1`]);
  });

  it('a crawl does not request a URL if robots.txt disallows the exact spelling of the URL', async () => {
    fixture.site.app.get('/robots.txt', (_request, response) => {
      response.type('text').send('User-agent: *\nDisallow: /list?sort=');
    });
    fixture.addPage('/', 'Home', fixture.buildLinks('/list?sort=price&by=1', '/list?by=1&page=2'));
    fixture.addPage('/list', 'List', '<p>Everything that the shop sells, in one list.</p>');
    const output = await fixture.crawl();
    expect(fixture.listIndexed(output)).toEqual(['/', '/list?by=1&page=2']);
    expect(fixture.listNotIndexed(output)).toEqual(['/list?by=1&sort=price skipped robots_disallowed']);
  });

  it('a crawl follows a redirect to another spelling of the same URL', async () => {
    fixture.addPage('/', 'Home', fixture.buildLinks('/news?utm_source=home'));
    fixture.site.app.get('/news', (request, response) => {
      if (request.originalUrl !== '/news') response.redirect(301, '/news');
      else response.type('html').send(fixture.buildPage('News', '<p>The shop opens a second branch in Porto.</p>'));
    });
    const output = await fixture.crawl();
    expect(fixture.listIndexed(output)).toEqual(['/', '/news']);
    expect(fixture.listNotIndexed(output)).toEqual([]);
  });

  it('a crawl requests a page only once, even if links contain several spellings of the URL', async () => {
    fixture.addPage('/', 'Home', fixture.buildLinks('/list?b=2&a=1', '/list?a=1&b=2', '/list?a=1&b=2#part'));
    fixture.addPage('/list', 'List', '<p>Everything that the shop sells, in one list.</p>');
    await fixture.crawl();
    expect(fixture.site.requests.filter((path) => path.startsWith('/list'))).toEqual(['/list?b=2&a=1']);
  });
});
