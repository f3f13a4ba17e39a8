import { beforeEach, describe, expect, it } from 'vitest';
import { buildSiteJob } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const fixture = useSiteCrawl();
const { crawl, buildLinks, addPage } = fixture;

describe('a site that requires a login', () => {
  const PATHS = Array.from({ length: 6 }, (_, at) => `/p/${at}`);
  let requiresLogin: boolean;
  beforeEach(() => {
    requiresLogin = false;
    fixture.site.app.use((request, response, next) => {
      const isPublic = /^\/(?:login|robots|sitemap)/.test(request.path);
      if (requiresLogin && !isPublic) response.redirect(`/login?return=${encodeURIComponent(request.url)}`);
      else next();
    });
    addPage('/', 'Home', buildLinks(...PATHS));
    for (const path of PATHS) addPage(path, path, `<p>Text of ${path}.</p>`);
    addPage('/login', 'Sign in', '<form><input name="user"><input name="key" type="password"></form>');
    const urls = PATHS.map((path) => `<url><loc>${fixture.site.origin}${path}</loc></url>`).join('');
    fixture.site.app.get(
      '/sitemap.xml',
      (_request, response) => void response.type('xml').send(`<urlset>${urls}</urlset>`),
    );
  });

  it('a crawl fails its run if the root page redirects to a login page', async () => {
    expect((await crawl()).indexed).toHaveLength(7);
    requiresLogin = true;
    const output = await crawl({}, 'run-2');
    expect(output.statuses.at(-1)).toMatchObject({ status: 'error', code: 'login_page' });
    expect([output.indexed, output.enumerated]).toEqual([[], []]);
  });

  it('a crawl indexes no page of a sitemap if all pages redirect to a login page', async () => {
    requiresLogin = true;
    const output = await fixture.crawler.run(
      'crawl-site',
      buildSiteJob({ sitemap: `${fixture.site.origin}/sitemap.xml` }),
    );
    expect(output.indexed).toEqual([]);
    expect(new Set(output.settled.map(({ outcome, code }) => `${outcome} ${code ?? ''}`))).toEqual(
      new Set(['skipped login_page']),
    );
  });

  it('a crawl indexes the public pages of a site, but not the login page', async () => {
    addPage('/about', 'About', buildLinks('/login'));
    const output = await crawl({ rootUrl: `${fixture.site.origin}/about` });
    expect(output.settled).toMatchObject([
      { documentKey: `${fixture.site.origin}/login`, outcome: 'skipped', code: 'login_page' },
    ]);
    expect(output.enumerated).toEqual([expect.objectContaining({ complete: true })]);
  });
});
