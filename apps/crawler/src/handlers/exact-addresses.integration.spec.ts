import { describe, expect, it } from 'vitest';
import { pageJob, siteJob } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const used = useSiteCrawl();

/** A page that answers to one spelling of its address alone, as signed addresses do. */
function serveSigned(path: string, query: string): void {
  used.site.app.get(path, (request, response) => {
    const isSigned = request.originalUrl === `${path}?${query}`;
    response.status(isSigned ? 200 : 403).type('html');
    response.send(used.html('Signed', '<p>Only those who have the signed address can read this page.</p>'));
  });
}

describe('an address', () => {
  it('is requested exactly as a page links to it', async () => {
    used.page('/', 'Home', used.links('/signed?z=1&a=2&utm_source=home'));
    serveSigned('/signed', 'z=1&a=2&utm_source=home');
    const told = await used.crawl();
    expect(used.indexed(told)).toEqual(['/', '/signed?a=2&z=1']);
    expect(told.indexed.find(({ documentKey }) => documentKey.includes('signed'))?.source).toBe(
      `${used.site.origin}/signed?z=1&a=2&utm_source=home`,
    );
  });

  it('is requested exactly as a sitemap lists it', async () => {
    used.site.app.get('/sitemap.txt', (_request, response) => {
      response.type('text').send(`${used.site.origin}/signed?z=1&a=2\n`);
    });
    serveSigned('/signed', 'z=1&a=2');
    const told = await used.crawler.run('crawl-site', siteJob({ sitemap: `${used.site.origin}/sitemap.txt` }));
    expect(used.indexed(told)).toEqual(['/signed?a=2&z=1']);
  });

  it('is requested exactly as it was given', async () => {
    serveSigned('/signed', 'z=1&a=2&utm_source=x');
    const told = await used.crawler.run('crawl-page', pageJob(`${used.site.origin}/signed?z=1&a=2&utm_source=x`));
    expect(told.indexed.map(({ documentKey }) => documentKey)).toEqual([`${used.site.origin}/signed?a=2&z=1`]);
  });

  it('is not requested when robots.txt forbids its own spelling', async () => {
    used.site.app.get('/robots.txt', (_request, response) => {
      response.type('text').send('User-agent: *\nDisallow: /list?sort=');
    });
    used.page('/', 'Home', used.links('/list?sort=price&by=1', '/list?by=1&page=2'));
    used.page('/list', 'List', '<p>Everything that the shop sells, in one list.</p>');
    const told = await used.crawl();
    expect(used.indexed(told)).toEqual(['/', '/list?by=1&page=2']);
    expect(used.left(told)).toEqual(['/list?by=1&sort=price skipped robots_disallowed']);
  });

  it('leads to its page by a redirect to another spelling of it', async () => {
    used.page('/', 'Home', used.links('/news?utm_source=home'));
    used.site.app.get('/news', (request, response) => {
      if (request.originalUrl !== '/news') response.redirect(301, '/news');
      else response.type('html').send(used.html('News', '<p>The shop opens a second branch in Porto.</p>'));
    });
    const told = await used.crawl();
    expect(used.indexed(told)).toEqual(['/', '/news']);
    expect(used.left(told)).toEqual([]);
  });

  it('is requested once, however many spellings of it are found', async () => {
    used.page('/', 'Home', used.links('/list?b=2&a=1', '/list?a=1&b=2', '/list?a=1&b=2#part'));
    used.page('/list', 'List', '<p>Everything that the shop sells, in one list.</p>');
    await used.crawl();
    expect(used.site.requests.filter((path) => path.startsWith('/list'))).toEqual(['/list?b=2&a=1']);
  });
});
