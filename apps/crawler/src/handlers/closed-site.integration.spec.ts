import { beforeEach, describe, expect, it } from 'vitest';
import { siteJob } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const used = useSiteCrawl();
const { crawl, links, page } = used;

describe('a site that has been closed to those who are not logged in', () => {
  const PATHS = Array.from({ length: 6 }, (_, at) => `/p/${at}`);
  let isClosed: boolean;
  beforeEach(() => {
    isClosed = false;
    used.site.app.use((request, response, next) => {
      const isOpen = /^\/(?:login|robots|sitemap)/.test(request.path);
      if (isClosed && !isOpen) response.redirect(`/login?return=${encodeURIComponent(request.url)}`);
      else next();
    });
    page('/', 'Home', links(...PATHS));
    for (const path of PATHS) page(path, path, `<p>Text of ${path}.</p>`);
    page('/login', 'Sign in', '<form><input name="user"><input name="key" type="password"></form>');
    const urls = PATHS.map((path) => `<url><loc>${used.site.origin}${path}</loc></url>`).join('');
    used.site.app.get(
      '/sitemap.xml',
      (_request, response) => void response.type('xml').send(`<urlset>${urls}</urlset>`),
    );
  });

  it('ends in error, by its root', async () => {
    expect((await crawl()).indexed).toHaveLength(7);
    isClosed = true;
    const told = await crawl({}, 'run-2');
    expect(told.statuses.at(-1)).toMatchObject({ status: 'error', code: 'login_page' });
    expect([told.indexed, told.enumerated]).toEqual([[], []]);
  });

  it('gives no page, by its sitemap', async () => {
    isClosed = true;
    const told = await used.crawler.run('crawl-site', siteJob({ sitemap: `${used.site.origin}/sitemap.xml` }));
    expect(told.indexed).toEqual([]);
    expect(new Set(told.settled.map(({ outcome, code }) => `${outcome} ${code ?? ''}`))).toEqual(
      new Set(['skipped login_page']),
    );
  });

  it('is crawled without its page to log in, as long as that is only one of its pages', async () => {
    page('/about', 'About', links('/login'));
    const told = await crawl({ rootUrl: `${used.site.origin}/about` });
    expect(told.settled).toMatchObject([
      { documentKey: `${used.site.origin}/login`, outcome: 'skipped', code: 'login_page' },
    ]);
    expect(told.enumerated).toEqual([expect.objectContaining({ complete: true })]);
  });
});
