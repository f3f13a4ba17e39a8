import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHtmlReader } from '../pages/html/html-reader.js';
import { createPageRecords } from '../sites/page-records.js';
import { startLocalSite, type LocalSite } from '../testing/local-site.js';
import { createManualClock } from '../testing/manual-clock.js';
import { buildPageJob, startTestCrawler, type TestCrawler, type RunOutput } from '../testing/test-crawler.js';

const ARTICLE = `<!doctype html><html lang="en-GB"><head><title>Opening hours</title>
  <meta name="description" content="When we are open."></head><body>
  <nav><a href="/">Home</a> <a href="/shop">Shop</a></nav>
  <main><h1>Opening hours</h1><p>We open at <b>nine</b>. See the <a href="/map">map</a>.</p>
  <table><tr><th>Day</th><th>Hours</th></tr><tr><td>Monday</td><td>9–17</td></tr></table></main>
  <footer>© Example</footer></body></html>`;

describe('crawl-page', () => {
  const reader = createHtmlReader({ threads: 2, timeoutMs: 30_000, memoryMb: 256 });
  afterAll(() => reader.close());
  let site: LocalSite;
  let crawler: TestCrawler;
  beforeEach(async () => {
    site = await startLocalSite();
    crawler = startTestCrawler({ html: reader });
  });
  afterEach(async () => {
    await crawler.close();
    await site.close();
  });

  const crawlUrl = (path: string, runId?: string): Promise<RunOutput> =>
    crawler.run('crawl-page', buildPageJob(site.origin + path, runId));
  const listCodes = (output: RunOutput): readonly (string | undefined)[] =>
    output.statuses.map(({ status, code }) => code ?? status);

  it('a crawl-page job enqueues the main content of a page as Markdown, with the normalized URL as the document key', async () => {
    site.app.get('/hours', (_request, response) => void response.type('html').send(ARTICLE));
    const output = await crawlUrl('/hours?utm_source=mail#top');
    expect(output.indexed).toEqual([
      expect.objectContaining({
        documentKey: `${site.origin}/hours`,
        source: `${site.origin}/hours?utm_source=mail`,
        name: 'Opening hours',
        mimeType: 'text/markdown',
        generation: 1,
      }),
    ]);
    expect(output.indexed[0]?.metadata).toEqual({
      title: 'Opening hours',
      description: 'When we are open.',
      language: 'en-GB',
    });
    expect(output.indexed[0]).not.toHaveProperty('partOfRun');
    await expect(crawler.readBlob(output.indexed[0]?.blobKey ?? '')).resolves.toBe(
      [
        '# Opening hours',
        `We open at **nine**. See the [map](${site.origin}/map).`,
        '| Day | Hours |\n| --- | --- |\n| Monday | 9–17 |',
      ].join('\n\n'),
    );
  });

  it('a successful crawl-page job emits no final event, and its events have lower sequence numbers than those of the ingestion job', async () => {
    site.app.get('/', (_request, response) => void response.type('html').send(ARTICLE));
    const output = await crawlUrl('/');
    expect(listCodes(output).filter((status) => status !== 'running')).toEqual([]);
    const failed = await crawlUrl('/missing', 'run-2');
    for (const { sequence } of [...output.statuses, ...failed.statuses]) expect(sequence).toBeLessThan(10_000);
    expect(listCodes(failed).at(-1)).toBe('not_found');
  });

  it('if a crawl-page job was lost and enqueued again, it copies the number of its repetitions (`repeat`) to the ingestion job', async () => {
    site.app.get('/', (_request, response) => void response.type('html').send(ARTICLE));
    const output = await crawler.run('crawl-page', Object.assign(buildPageJob(`${site.origin}/`), { repeat: 2 }));
    expect(output.indexed).toMatchObject([{ repeat: 2 }]);
    expect(output.statuses.every(({ sequence }) => sequence > 1_000_000_000)).toBe(true);
  });

  it('a crawl-page job copies its `ocrLanguages` to the ingestion job', async () => {
    site.app.get('/scan.pdf', (_request, response) => void response.type('application/pdf').send('%PDF-1.4'));
    const job = Object.assign(buildPageJob(`${site.origin}/scan.pdf`), { ocrLanguages: ['deu', 'eng'] });
    expect((await crawler.run('crawl-page', job)).indexed).toMatchObject([{ ocrLanguages: ['deu', 'eng'] }]);
  });

  it('a crawl-page job stores the bytes of a file without conversion, and enqueues the file for indexing', async () => {
    const pdf = '%PDF-1.4 not really';
    site.app.get('/a/Price%20list.pdf', (_request, response) => void response.type('application/pdf').send(pdf));
    const output = await crawlUrl('/a/Price%20list.pdf');
    expect(output.indexed).toEqual([expect.objectContaining({ name: 'Price list.pdf', mimeType: 'application/pdf' })]);
    await expect(crawler.readBlob(output.indexed[0]?.blobKey ?? '')).resolves.toBe(pdf);
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
  ])('a crawl-page job for the page %s fails with the code %s', async (path, code) => {
    const { app } = site;
    const serveHtml = (route: string, body: string): void =>
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
    serveHtml('/hidden', ARTICLE.replace('<head>', '<head><meta name="robots" content="noindex">'));
    serveHtml('/empty', '<html><body><nav>Menu</nav></body></html>');
    serveHtml('/error-page', '<title>Page not found</title><main><h1>404</h1><p>Sorry.</p></main>');
    serveHtml('/scripted', '<title>App</title><body><div id="root"></div><script src="/app.js"></script></body>');
    serveHtml('/endless', `<main>${'x'.repeat(11 * 1024 * 1024)}</main>`);
    const output = await crawlUrl(path);
    expect(listCodes(output).at(-1)).toBe(code);
    expect(output.statuses.at(-1)?.status).toBe('error');
    expect(output.statuses.at(-1)?.message).toMatch(/^.{10,}/);
    expect(output.indexed).toEqual([]);
  });

  it('a crawl-page job requests a page again after a transient failure', async () => {
    let requests = 0;
    site.app.get('/', (_request, response) => {
      requests += 1;
      if (requests < 3) response.status(503).end();
      else response.type('html').send(ARTICLE);
    });
    const output = await crawlUrl('/');
    expect(output.indexed).toHaveLength(1);
    expect(site.requests).toHaveLength(3);
  });

  it('if each response has status 429, a crawl-page job repeats the request after the delay in Retry-After, and fails after 20 requests', async () => {
    site.app.get('/', (_request, response) => void response.status(429).set('retry-after', '0').end());
    expect(listCodes(await crawlUrl('/')).at(-1)).toBe('rate_limited');
    expect(site.requests).toHaveLength(20);
  });

  it('a crawl-page job does not request a page if the robots.txt of its host is unavailable', async () => {
    site.app.get('/robots.txt', (_request, response) => void response.status(500).end());
    expect(listCodes(await crawlUrl('/'))).toContain('robots_unreachable');
    expect(site.requests).toEqual([]);
  });

  it('a crawl-page job fails with the code address_not_public if the URL of the page leads to a private address', async () => {
    const strictCrawler = startTestCrawler({ html: reader, settings: { allowLoopback: false } });
    const output = await strictCrawler.run('crawl-page', buildPageJob(`${site.origin}/`));
    expect(listCodes(output).at(-1)).toBe('address_not_public');
    await strictCrawler.close();
  });

  it('a crawl-page job follows redirects and meta refreshes, and uses the URL of the job as the document key', async () => {
    site.app.get('/old', (_request, response) => {
      response.redirect(301, '/middle');
    });
    site.app.get(
      '/middle',
      (_request, response) => void response.type('html').send('<meta http-equiv="refresh" content="0; url=new">Moved.'),
    );
    site.app.get('/new', (_request, response) => void response.type('html').send(ARTICLE));
    const [document] = (await crawlUrl('/old')).indexed;
    expect(document).toMatchObject({ documentKey: `${site.origin}/old`, source: `${site.origin}/new` });
  });

  it('a crawl-page job sends a conditional request for a page that an earlier run has fetched, and enqueues the stored content if the page is unchanged', async () => {
    site.app.get('/', (_request, response) => void response.type('html').send(ARTICLE));
    const first = await crawlUrl('/', 'run-1');
    site.resetCounters();
    const second = await crawlUrl('/', 'run-2');
    expect([site.requests.length, site.countSentBytes()]).toEqual([1, 0]);
    expect(second.indexed).toEqual(first.indexed.map((document) => Object.assign({}, document, { runId: 'run-2' })));
  });

  it('a crawl-page job fetches a page again whose stored content another version of the crawler extracted', async () => {
    site.app.get('/', (_request, response) => void response.type('html').send(ARTICLE));
    await crawlUrl('/', 'run-1');
    const records = createPageRecords(crawler.blobs, buildPageJob(site.origin));
    const key = `${site.origin}/`;
    const record = await records.read(key);
    if (record?.content === undefined) throw new Error('expected a record of the page with content, found none');
    const older = { ...record.content, contentHash: 'older', extractionVersion: 0 };
    const content = await records.writeContent(key, older, Buffer.from('An incomplete text.'));
    await records.write(key, { ...record, content });
    const [again] = (await crawlUrl('/', 'run-2')).indexed;
    await expect(crawler.readBlob(again?.blobKey ?? '')).resolves.toContain('We open at **nine**.');
    site.resetCounters();
    await crawlUrl('/', 'run-3');
    expect([site.requests.length, site.countSentBytes()]).toEqual([1, 0]);
  });

  it('if the `unavailable_after` date of a page has passed since an earlier run, a crawl-page job fails with the code noindex, although the page is unchanged', async () => {
    const head = '<head><meta name="robots" content="unavailable_after: 2026-01-02T00:00:00Z">';
    site.app.get('/', (_request, response) => void response.type('html').send(ARTICLE.replace('<head>', head)));
    const clock = createManualClock(Date.parse('2026-01-01T00:00:00Z'));
    const patient = startTestCrawler({ html: reader, clock });
    const crawlRun = (runId: string): Promise<RunOutput> =>
      patient.run('crawl-page', buildPageJob(`${site.origin}/`, runId));
    await crawlRun('run-1');
    site.resetCounters();
    expect((await crawlRun('run-2')).indexed).toHaveLength(1);
    expect([site.requests.length, site.countSentBytes()]).toEqual([1, 0]);
    clock.advance(2 * 86_400_000);
    expect(listCodes(await crawlRun('run-3')).at(-1)).toBe('noindex');
    await patient.close();
  });

  it('if a crawl-page job runs twice, it enqueues the same document both times', async () => {
    site.app.get('/', (_request, response) => void response.type('html').send(ARTICLE));
    const first = await crawlUrl('/');
    const successor = startTestCrawler({ html: reader, blobs: crawler.blobs });
    const again = await successor.run('crawl-page', buildPageJob(`${site.origin}/`));
    expect(again.indexed).toEqual(first.indexed);
    await successor.close();
  });

  it('a crawl-page job sends its requests with the user agent of the crawler', async () => {
    site.app.get('/', (_request, response) => void response.type('html').send(ARTICLE));
    await crawlUrl('/');
    expect([...site.userAgents]).toEqual([expect.stringMatching(/^QuarryBot\/\d/)]);
  });
});
