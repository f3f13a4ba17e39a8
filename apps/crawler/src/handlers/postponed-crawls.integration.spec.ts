import { getDatasourceFolder } from '@quarry/blob-store';
import { crawlQueue } from '@quarry/contracts';
import { createInMemoryQueues, type InMemoryQueues } from '@quarry/queue/testing';
import { createSafeFetch } from '@quarry/safe-fetch';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { CrawlSettings } from '../config.js';
import { startLocalSite } from '../testing/local-site.js';
import { createManualClock, type ManualClock } from '../testing/manual-clock.js';
import { buildPageJob, buildSiteJob, startTestCrawler, type TestCrawler } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const fixture = useSiteCrawl();
const { addPage, addTree, buildLinks, buildPage, listIndexed, listNotIndexed, reader } = fixture;
/** Number of pages that `addTree` adds. */
const PAGES = 12;

let clock: ManualClock;
/** Delays after which jobs that returned to the queue start again, in milliseconds. */
let delays: number[];
beforeEach(() => {
  clock = createManualClock();
  delays = [];
});

function createQueuesWithManualClock(): InMemoryQueues {
  return createInMemoryQueues(clock.now, (ms) => {
    delays.push(ms);
    clock.advance(ms);
  });
}

/** Starts a crawler whose queue advances the clock by the delay of each postponed job instead of waiting. */
function startCrawlerWithManualClock(settings: Partial<CrawlSettings> = {}): TestCrawler {
  const crawler = startTestCrawler({ html: reader, clock, queues: createQueuesWithManualClock(), settings });
  onTestFinished(() => crawler.close());
  return crawler;
}

function setCrawlDelay(seconds: number): void {
  const robots = `User-agent: *\nCrawl-delay: ${seconds}\nSitemap: ${fixture.site.origin}/sitemap.xml`;
  fixture.site.app.get('/robots.txt', (_request, response) => void response.type('text').send(robots));
}

const buildPostponedJob = () => buildSiteJob({ rootUrl: `${fixture.site.origin}/start` });

/** Adds a site whose root is behind a redirect, and whose sitemaps list a page that no page links to. */
function addSiteWithSitemaps(): void {
  const { app, origin } = fixture.site;
  const addSitemap = (path: string, body: string): void =>
    void app.get(path, (_request, response) => void response.type('application/xml').send(body));
  const listSitemaps = ['a', 'b'].map((name) => `<sitemap><loc>${origin}/sitemap-${name}.xml</loc></sitemap>`).join('');
  addSitemap('/sitemap.xml', `<sitemapindex>${listSitemaps}</sitemapindex>`);
  addSitemap('/sitemap-a.xml', `<urlset><url><loc>${origin}/p/1</loc></url></urlset>`);
  addSitemap('/sitemap-b.xml', `<urlset><url><loc>${origin}/only-in-sitemap</loc></url></urlset>`);
  app.get('/start', (_request, response) => {
    response.redirect('/');
  });
  addPage('/only-in-sitemap', 'Listed', '<p>Only the sitemap has it.</p>');
  addTree(PAGES);
}

describe('a crawl that waits for the crawl delay', () => {
  it('if robots.txt sets a long crawl delay, a crawl returns to its queue during each delay, and sends each request once', async () => {
    setCrawlDelay(7);
    addSiteWithSitemaps();
    const startedAt = clock.now();
    const output = await startCrawlerWithManualClock().run('crawl-site', buildPostponedJob());
    expect(output.enumerated).toMatchObject([{ discovered: PAGES + 1, fetched: PAGES + 1, complete: true }]);
    expect(output.indexed).toHaveLength(PAGES + 1);
    const { requests } = fixture.site;
    expect(requests).toHaveLength(new Set(requests).size);
    expect(requests).toHaveLength(PAGES + 5);
    expect(clock.waits).toEqual([]);
    expect(delays).toEqual(requests.map(() => 7_000));
    expect(clock.now() - startedAt).toBe(7_000 * requests.length);
  });

  it('a crawl that waits in the queue reports no error, and does not end its run', async () => {
    setCrawlDelay(7);
    addTree(PAGES);
    const output = await startCrawlerWithManualClock().run(
      'crawl-site',
      buildSiteJob({ rootUrl: `${fixture.site.origin}/` }),
    );
    expect(output.retries).toEqual([]);
    expect(output.statuses.filter(({ status }) => status !== 'running')).toEqual([]);
  });

  it('a crawl does not return to the queue during a short delay between two requests', async () => {
    addTree(PAGES);
    const polite = startCrawlerWithManualClock({ delayMs: 1_000 });
    const output = await polite.run('crawl-site', buildSiteJob({ rootUrl: `${fixture.site.origin}/` }));
    expect(output.indexed).toHaveLength(PAGES);
    expect(delays).toEqual([]);
    // `requests` excludes the request for robots.txt, which is the first of the crawl and starts without a delay.
    expect(clock.waits).toEqual(fixture.site.requests.map(() => 1_000));
  });

  it('another crawler continues a crawl that waited in the queue, and requests no recorded page again', async () => {
    setCrawlDelay(7);
    addSiteWithSitemaps();
    const job = buildSiteJob({ rootUrl: `${fixture.site.origin}/` });
    const first = startCrawlerWithManualClock();
    fixture.site.onRequest(() => {
      if (fixture.site.requests.length === PAGES) void first.close();
    });
    await first.run('crawl-site', job);
    const recorded = first.getOutput(job).indexed.map(({ documentKey }) => documentKey);
    expect(recorded.length).toBeGreaterThan(2);
    fixture.site.resetCounters();
    const queues = createQueuesWithManualClock();
    const second = startTestCrawler({ html: reader, clock, queues, blobs: first.blobs, gateway: first.gateway });
    onTestFinished(() => second.close());
    const output = await second.run('crawl-site', job);
    expect(output.enumerated).toMatchObject([{ discovered: PAGES + 1, complete: true }]);
    const repeated = fixture.site.requests.filter((path) => recorded.includes(fixture.site.origin + path));
    expect(repeated).toEqual([]);
  });

  it('if all pages have changed, a crawl that waited in the queue removes the page contents that the previous run stored', async () => {
    setCrawlDelay(7);
    const changed = new Set<number>();
    addTree(PAGES, changed);
    const crawler = startCrawlerWithManualClock();
    const runCrawl = (generation: number) =>
      crawler.run('crawl-site', buildSiteJob({ rootUrl: `${fixture.site.origin}/`, generation }, `run-${generation}`));
    await runCrawl(1);
    for (let page = 0; page < PAGES; page += 1) changed.add(page);
    await runCrawl(2);
    const contents: string[] = [];
    for await (const key of crawler.blobs.list(`${getDatasourceFolder(buildPostponedJob())}crawl/content/`))
      contents.push(key);
    expect(contents).toHaveLength(PAGES);
  });

  it('a crawl-page job that returns to the queue after each redirect reaches the page, and repeats no request', async () => {
    setCrawlDelay(60);
    fixture.site.app.get('/old', (_request, response) => {
      response.redirect('/middle');
    });
    fixture.site.app.get('/middle', (_request, response) => {
      response.redirect('/new');
    });
    addPage('/new', 'New', '<p>Text of the page.</p>');
    const output = await startCrawlerWithManualClock().run('crawl-page', buildPageJob(`${fixture.site.origin}/old`));
    expect(output.indexed).toHaveLength(1);
    expect(fixture.site.requests).toEqual(['/old', '/middle', '/new']);
    expect(delays).toEqual([60_000, 60_000, 60_000]);
  });
});

describe('a slow or failing site', () => {
  it('ten slow sites delay the page of another customer only until the first request to each of these sites fails', async () => {
    const slow = await startLocalSite();
    onTestFinished(() => slow.close());
    const order: string[] = [];
    slow.app.use((request, response) => {
      order.push(request.path);
      response.type('html').write('<');
      const drip = setInterval(() => response.write(' '), 5);
      response.once('close', () => {
        clearInterval(drip);
      });
    });
    addPage('/page', 'Page', '<p>Text of the page.</p>');
    fixture.site.onRequest(() => order.push('quick'));
    const queues = createQueuesWithManualClock();
    const limits = { minBytesPerSecond: 100_000, rateWindowMs: 20 };
    const safeFetch = createSafeFetch({ userAgent: 'test', allowLoopback: true, limits });
    const crawler = startTestCrawler({ html: reader, clock, queues, safeFetch });
    onTestFinished(() => crawler.close());
    for (let n = 0; n < 10; n += 1) {
      const job = buildSiteJob({ rootUrl: `${slow.origin}/${n}`, datasourceId: `slow-${n}` }, `slow-${n}`);
      crawler.gateway.addRun(job);
      await queues.createProducer(crawlQueue).add('crawl-site', job);
    }
    const output = await crawler.run('crawl-page', buildPageJob(`${fixture.site.origin}/page`, 'quick'));
    expect(output.indexed).toHaveLength(1);
    expect(order.indexOf('quick')).toBeLessThanOrEqual(11);
    expect(queues.listFailures(crawlQueue).map(({ reason }) => reason.code)).toEqual(
      Array.from({ length: 10 }, () => 'fetch_failed'),
    );
  });

  it('a crawl returns to the queue after a failed request, requests the page again, and reports the error', async () => {
    addPage('/', 'Home', buildLinks('/a', '/flaky', '/b'));
    for (const path of ['/a', '/b']) addPage(path, path, `<p>Text of ${path}.</p>`);
    let failures = 2;
    fixture.site.app.get('/flaky', (_request, response) => {
      failures -= 1;
      if (failures >= 0) response.status(502).end();
      else response.type('html').send(buildPage('Flaky', '<p>Text at last.</p>'));
    });
    const crawler = startCrawlerWithManualClock({ retryDelayMs: 2_000 });
    const output = await crawler.run('crawl-site', buildSiteJob({ rootUrl: `${fixture.site.origin}/` }));
    expect(listIndexed(output)).toEqual(['/', '/a', '/b', '/flaky']);
    expect(output.enumerated).toMatchObject([{ complete: true }]);
    expect(delays).toEqual([2_000, 8_000]);
    expect(clock.waits).toEqual([]);
    expect(fixture.site.requests.filter((path) => path === '/a')).toHaveLength(1);
    expect(output.retries.map(({ lastError }) => lastError)).toMatchObject(
      [1, 2].map((attempt) => ({ code: 'fetch_failed', attempt })),
    );
  });

  it('a crawl records a page as failed if three requests for it fail, and requests each other page once', async () => {
    addPage('/', 'Home', buildLinks('/a', '/broken', '/b'));
    for (const path of ['/a', '/b']) addPage(path, path, `<p>Text of ${path}.</p>`);
    fixture.site.app.get('/broken', (_request, response) => void response.status(500).end());
    const crawler = startCrawlerWithManualClock();
    const output = await crawler.run('crawl-site', buildSiteJob({ rootUrl: `${fixture.site.origin}/` }));
    expect(listNotIndexed(output)).toEqual(['/broken failed fetch_failed']);
    const counts = ['/a', '/b', '/broken'].map((path) => fixture.site.requests.filter((one) => one === path).length);
    expect(counts).toEqual([1, 1, 3]);
  });

  it('after a failed request for a sitemap, a crawl repeats this request, but not the requests for sitemaps that it has already read', async () => {
    addSiteWithSitemaps();
    let failures = 2;
    fixture.site.app.use('/flaky.xml', (_request, response) => {
      failures -= 1;
      if (failures >= 0) response.status(500).end();
      else response.type('text').send(`${fixture.site.origin}/only-in-sitemap`);
    });
    const urls = ['/sitemap-a.xml', '/flaky.xml'].map((path) => `Sitemap: ${fixture.site.origin}${path}`);
    fixture.site.app.get('/robots.txt', (_request, response) => void response.type('text').send(urls.join('\n')));
    const output = await startCrawlerWithManualClock().run('crawl-site', buildPostponedJob());
    expect(output.enumerated).toMatchObject([{ complete: true }]);
    expect(fixture.site.requests.filter((path) => path === '/sitemap-a.xml')).toHaveLength(1);
    expect(fixture.site.requests.filter((path) => path === '/start')).toHaveLength(1);
    expect(listIndexed(output)).toContain('/only-in-sitemap');
  });

  it('if each response for a page has a Retry-After header, a crawl records the page as failed after three requests, and ends', async () => {
    addPage('/', 'Home', buildLinks('/busy'));
    fixture.site.app.get('/busy', (_request, response) => void response.status(429).set('retry-after', '600').end());
    const crawler = startCrawlerWithManualClock();
    const output = await crawler.run('crawl-site', buildSiteJob({ rootUrl: `${fixture.site.origin}/` }));
    expect(listNotIndexed(output)).toEqual(['/busy failed rate_limited']);
    expect(fixture.site.requests.filter((path) => path === '/busy')).toHaveLength(3);
  });
});
