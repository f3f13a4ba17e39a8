import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { htmlReader } from '../pages/html-reader.js';
import { localSite, type LocalSite } from '../testing/local-site.js';
import { pageJob, testCrawler, type TestCrawler, type Told } from '../testing/test-crawler.js';

const ARTICLE = `<!doctype html><html lang="en-GB"><head><title>Opening hours</title>
  <meta name="description" content="When we are open."></head><body>
  <nav><a href="/">Home</a> <a href="/shop">Shop</a></nav>
  <main><h1>Opening hours</h1><p>We open at <b>nine</b>. See the <a href="/map">map</a>.</p>
  <table><tr><th>Day</th><th>Hours</th></tr><tr><td>Monday</td><td>9–17</td></tr></table></main>
  <footer>© Example</footer></body></html>`;

describe('crawl-page', () => {
  const reader = htmlReader({ threads: 2, timeoutMs: 30_000, memoryMb: 256 });
  afterAll(() => reader.close());
  let site: LocalSite;
  let crawler: TestCrawler;
  beforeEach(async () => {
    site = await localSite();
    crawler = testCrawler({ html: reader });
  });
  afterEach(async () => {
    await crawler.close();
    await site.close();
  });

  const run = (path: string, runId?: string): Promise<Told> =>
    crawler.run('crawl-page', pageJob(site.origin + path, runId));
  const codes = (told: Told): readonly (string | undefined)[] =>
    told.statuses.map(({ status, code }) => code ?? status);

  it('hands the main content of a page to ingestion, as Markdown under its normalised address', async () => {
    site.app.get('/hours', (_request, response) => void response.type('html').send(ARTICLE));
    const told = await run('/hours?utm_source=mail#top');
    expect(told.indexed).toEqual([
      expect.objectContaining({
        documentKey: `${site.origin}/hours`,
        source: `${site.origin}/hours?utm_source=mail`,
        name: 'Opening hours',
        mimeType: 'text/markdown',
        generation: 1,
      }),
    ]);
    expect(told.indexed[0]?.metadata).toEqual({
      title: 'Opening hours',
      description: 'When we are open.',
      language: 'en-GB',
    });
    expect(told.indexed[0]).not.toHaveProperty('partOfRun');
    await expect(crawler.blob(told.indexed[0]?.blobKey ?? '')).resolves.toBe(
      [
        '# Opening hours',
        `We open at **nine**. See the [map](${site.origin}/map).`,
        '| Day | Hours |\n| --- | --- |\n| Monday | 9–17 |',
      ].join('\n\n'),
    );
  });

  it('leaves the end of the run to the ingestion worker, whose events have greater numbers', async () => {
    site.app.get('/', (_request, response) => void response.type('html').send(ARTICLE));
    const told = await run('/');
    expect(codes(told).filter((status) => status !== 'running')).toEqual([]);
    const failed = await run('/missing', 'run-2');
    for (const { sequence } of [...told.statuses, ...failed.statuses]) expect(sequence).toBeLessThan(10_000);
    expect(codes(failed).at(-1)).toBe('not_found');
  });

  it('hands a page to ingestion as often repeated as it is itself', async () => {
    site.app.get('/', (_request, response) => void response.type('html').send(ARTICLE));
    const told = await crawler.run('crawl-page', Object.assign(pageJob(`${site.origin}/`), { repeat: 2 }));
    expect(told.indexed).toMatchObject([{ repeat: 2 }]);
    expect(told.statuses.every(({ sequence }) => sequence > 1_000_000_000)).toBe(true);
  });

  it('hands a file to ingestion as it is', async () => {
    const pdf = '%PDF-1.4 not really';
    site.app.get('/a/Price%20list.pdf', (_request, response) => void response.type('application/pdf').send(pdf));
    const told = await run('/a/Price%20list.pdf');
    expect(told.indexed).toEqual([expect.objectContaining({ name: 'Price list.pdf', mimeType: 'application/pdf' })]);
    await expect(crawler.blob(told.indexed[0]?.blobKey ?? '')).resolves.toBe(pdf);
  });

  it.each([
    ['/missing', 'not_found'],
    ['/gone', 'gone'],
    ['/private', 'access_denied'],
    ['/film', 'unsupported_type'],
    ['/empty', 'no_text_found'],
    ['/hidden', 'noindex'],
    ['/hidden-by-header', 'noindex'],
    ['/error-page', 'soft_404'],
    ['/scripted', 'needs_rendering'],
    ['/endless', 'too_large'],
    ['/loop-a', 'redirect_loop'],
    ['/far/0', 'too_many_redirects'],
    ['/forbidden-by-robots', 'robots_disallowed'],
    ['/broken', 'fetch_failed'],
  ])('ends in error for %s with the code %s', async (path, code) => {
    const { app } = site;
    const html = (route: string, body: string): void =>
      void app.get(route, (_request, response) => void response.type('html').send(body));
    app.get(
      '/robots.txt',
      (_request, response) => void response.type('text').send('User-agent: QuarryBot\nDisallow: /forbidden'),
    );
    app.get('/gone', (_request, response) => void response.status(410).end());
    app.get('/private', (_request, response) => void response.status(403).end());
    app.get('/film', (_request, response) => void response.type('video/mp4').send('film'));
    app.get('/broken', (_request, response) => void response.status(502).end());
    app.get('/loop-a', (_request, response) => {
      response.redirect('/loop-b');
    });
    app.get('/loop-b', (_request, response) => {
      response.redirect('/loop-a');
    });
    app.get('/far/:n', (request, response) => {
      response.redirect(`/far/${Number(request.params.n) + 1}`);
    });
    app.get(
      '/hidden-by-header',
      (_request, response) => void response.set('x-robots-tag', 'noindex').type('html').send(ARTICLE),
    );
    html('/hidden', ARTICLE.replace('<head>', '<head><meta name="robots" content="noindex">'));
    html('/empty', '<html><body><nav>Menu</nav></body></html>');
    html('/error-page', '<title>Page not found</title><main><h1>404</h1><p>Sorry.</p></main>');
    html('/scripted', '<title>App</title><body><div id="root"></div><script src="/app.js"></script></body>');
    html('/endless', `<main>${'x'.repeat(11 * 1024 * 1024)}</main>`);
    const told = await run(path);
    expect(codes(told).at(-1)).toBe(code);
    expect(told.statuses.at(-1)?.status).toBe('error');
    expect(told.statuses.at(-1)?.message).toMatch(/^.{10,}/);
    expect(told.indexed).toEqual([]);
  });

  it('asks again when the server was only out of sorts', async () => {
    let asked = 0;
    site.app.get('/', (_request, response) => {
      asked += 1;
      if (asked < 3) response.status(503).end();
      else response.type('html').send(ARTICLE);
    });
    const told = await run('/');
    expect(told.indexed).toHaveLength(1);
    expect(site.requests).toHaveLength(3);
  });

  it('comes back later when the server says when, without end only for so long', async () => {
    site.app.get('/', (_request, response) => void response.status(429).set('retry-after', '0').end());
    expect(codes(await run('/')).at(-1)).toBe('rate_limited');
    expect(site.requests).toHaveLength(20);
  });

  it('fetches nothing of a host whose robots.txt is out of order', async () => {
    site.app.get('/robots.txt', (_request, response) => void response.status(500).end());
    expect(codes(await run('/'))).toContain('robots_unreachable');
    expect(site.requests).toEqual([]);
  });

  it('refuses addresses that are not public', async () => {
    const careful = testCrawler({ html: reader, settings: { allowLoopback: false } });
    const told = await careful.run('crawl-page', pageJob(`${site.origin}/`));
    expect(codes(told).at(-1)).toBe('address_not_public');
    await careful.close();
  });

  it('follows redirects and refreshes, and keeps the address that it was given as the key', async () => {
    site.app.get('/old', (_request, response) => {
      response.redirect(301, '/middle');
    });
    site.app.get(
      '/middle',
      (_request, response) => void response.type('html').send('<meta http-equiv="refresh" content="0; url=new">Moved.'),
    );
    site.app.get('/new', (_request, response) => void response.type('html').send(ARTICLE));
    const [document] = (await run('/old')).indexed;
    expect(document).toMatchObject({ documentKey: `${site.origin}/old`, source: `${site.origin}/new` });
  });

  it('does not have a page sent again that has not changed, and indexes what it kept', async () => {
    site.app.get('/', (_request, response) => void response.type('html').send(ARTICLE));
    const first = await run('/', 'run-1');
    site.forget();
    const second = await run('/', 'run-2');
    expect([site.requests.length, site.bytes()]).toEqual([1, 0]);
    expect(second.indexed).toEqual(first.indexed.map((document) => Object.assign({}, document, { runId: 'run-2' })));
  });

  it('does the same when it is run twice', async () => {
    site.app.get('/', (_request, response) => void response.type('html').send(ARTICLE));
    const first = await run('/');
    const successor = testCrawler({ html: reader, blobs: crawler.blobs });
    const again = await successor.run('crawl-page', pageJob(`${site.origin}/`));
    expect(again.indexed).toEqual(first.indexed);
    await successor.close();
  });

  it('says truthfully who it is', async () => {
    site.app.get('/', (_request, response) => void response.type('html').send(ARTICLE));
    await run('/');
    expect([...site.userAgents]).toEqual([expect.stringMatching(/^QuarryBot\/\d/)]);
  });
});
