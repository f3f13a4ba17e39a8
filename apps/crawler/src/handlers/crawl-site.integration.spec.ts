import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gzipSync } from 'node:zlib';
import { cancelForGood, cancelRuns, folderOfDatasource, type BlobStore } from '@quarry/blob-store';
import { inMemoryBlobStore } from '@quarry/blob-store/testing';
import type { CrawlSite } from '@quarry/contracts';
import { inMemoryQueues, memoryPacing } from '@quarry/queue-bullmq/testing';
import { manualClock } from '../testing/manual-clock.js';
import { Mortal } from '../testing/mortal.js';
import { htmlReader, PageUnreadable } from '../pages/html-reader.js';
import type { HtmlInput } from '../pages/html/read-html.js';
import { localSite, type LocalSite } from '../testing/local-site.js';
import { siteJob, testCrawler, type TestCrawler, type Told } from '../testing/test-crawler.js';

const PAGES = 100;

describe('crawl-site', () => {
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

  const html = (title: string, body: string, head = ''): string =>
    `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>${body}</main></body></html>`;
  const page = (path: string, title: string, body: string, head = ''): void => {
    site.app.get(path, (_request, response) => void response.type('html').send(html(title, body, head)));
  };
  const links = (...paths: readonly string[]): string => paths.map((path) => `<a href="${path}">${path}</a>`).join(' ');
  const crawl = (job: Partial<CrawlSite> = {}, runId?: string): Promise<Told> =>
    crawler.run('crawl-site', siteJob({ rootUrl: `${site.origin}/`, ...job }, runId));
  const indexed = (told: Told): readonly string[] =>
    told.indexed.map(({ documentKey }) => documentKey.replace(site.origin, '')).sort();
  const left = (told: Told): readonly string[] =>
    told.settled
      .map(({ documentKey, outcome, code }) => `${documentKey.replace(site.origin, '')} ${outcome} ${code ?? ''}`)
      .sort();

  /** A tree of pages, five links each. */
  const tree = (pages: number, changed: ReadonlySet<number> = new Set()): void => {
    site.app.get(['/', '/p/:n'], (request, response) => {
      const n = Number(request.params['n'] ?? 0);
      const children = [1, 2, 3, 4, 5].map((k) => n * 5 + k).filter((child) => child < pages);
      const text = `<p>This is page ${n}${changed.has(n) ? ', which was changed' : ''}.</p>`;
      response.type('html').send(html(`Page ${n}`, text + links('/', ...children.map((child) => `/p/${child}`))));
    });
  };

  it('hands each of 500 pages to ingestion once, and says how many there are; then only what has changed is sent again', async () => {
    const changed = new Set<number>();
    tree(500, changed);
    const first = await crawl();
    expect(new Set(indexed(first)).size).toBe(500);
    expect(first.indexed).toHaveLength(500);
    expect(first.indexed.every(({ partOfRun, mimeType }) => partOfRun === true && mimeType === 'text/markdown')).toBe(
      true,
    );
    expect(first.enumerated).toEqual([
      expect.objectContaining({ documents: 500, complete: true, discovered: 500, fetched: 500 }),
    ]);
    expect(first.enumerated[0]).not.toHaveProperty('note');
    expect(first.settled).toEqual([]);
    expect(first.statuses.map(({ status, sequence }) => [status, sequence])).toEqual([['running', 10_000]]);
    expect(first.progress.at(-1)?.progress?.done).toBeGreaterThan(400);
    const fetched = first.progress.map(({ counters }) => counters?.fetched ?? 0);
    expect(fetched.length).toBeGreaterThan(10);
    expect(fetched).toEqual(fetched.toSorted((a, b) => a - b));
    expect(first.progress.at(-1)?.counters).toMatchObject({ discovered: 500, indexed: 0 });
    expect(site.requests.filter((path) => path !== '/sitemap.xml')).toHaveLength(500);
    const firstBytes = site.bytes();

    site.forget();
    const second = await crawl({}, 'run-2');
    expect(indexed(second)).toEqual(indexed(first));
    expect(second.enumerated).toEqual([expect.objectContaining({ documents: 500, complete: true })]);
    expect(site.requests).toHaveLength(501);
    const again = `${site.requests.length} requests and ${site.bytes()} bytes of bodies`;
    console.log(`500 pages: ${firstBytes} bytes of bodies; the second time, with nothing changed: ${again}`);
    expect(site.bytes()).toBeLessThan(firstBytes / 100);

    site.forget();
    changed.add(7).add(42);
    const third = await crawl({}, 'run-3');
    const texts = await Promise.all(third.indexed.map(({ blobKey }) => crawler.blob(blobKey)));
    expect(texts.filter((text) => text.includes('which was changed'))).toHaveLength(2);
    expect(site.bytes()).toBeLessThan(firstBytes / 20);
  });

  describe('taken over from a process that was killed in the middle', () => {
    it('loses no page, names none differently, and fetches again only what was under way', async () => {
      tree(PAGES);
      const mortal = new Mortal();
      const blobs = inMemoryBlobStore();
      const queues = inMemoryQueues();
      const first = testCrawler({ html: reader, blobs: mortal.blobs(blobs), queues: mortal.queues(queues) });
      let asked = 0;
      const killed = new Promise<void>((resolve) => {
        site.onRequest(() => {
          asked += 1;
          if (asked === PAGES / 2) {
            mortal.die();
            resolve();
          }
        });
      });
      void first.run('crawl-site', siteJob({ rootUrl: `${site.origin}/` }));
      await killed;
      const before = first.told('run-1');
      const successor = testCrawler({ html: reader, blobs });
      const after = await successor.run('crawl-site', siteJob({ rootUrl: `${site.origin}/` }));

      expect(before.indexed.length).toBeGreaterThan(PAGES / 5);
      const keys = [...before.indexed, ...after.indexed].map(({ documentKey }) => documentKey);
      expect(new Set(keys).size).toBe(PAGES);
      expect(keys.length).toBeLessThanOrEqual(PAGES + 8);
      expect(after.enumerated).toEqual([expect.objectContaining({ documents: PAGES, complete: true })]);
      const pages = site.requests.filter((path) => path !== '/sitemap.xml');
      expect(pages.length).toBeLessThanOrEqual(PAGES + 2 * 8);
      await successor.close();
      await first.close();
    });
  });

  describe('by several crawlers', () => {
    const DELAY_MS = 1_000;
    const clock = manualClock();
    let requests: number;
    beforeEach(() => {
      requests = 0;
      tree(20);
      site.onRequest(() => {
        requests += 1;
      });
    });
    const sharing = (
      pacing = memoryPacing(clock.now),
      mortal = new Mortal(),
      blobs = inMemoryBlobStore(),
    ): TestCrawler =>
      testCrawler({
        ...{ html: reader, clock, settings: { delayMs: DELAY_MS } },
        blobs: mortal.blobs(blobs),
        queues: mortal.queues({ ...inMemoryQueues(clock.now), pacing }),
      });

    it('is not asked more often than by one', async () => {
      const pacing = memoryPacing(clock.now);
      const crawlers = [sharing(pacing), sharing(pacing), sharing(pacing)];
      const begun = clock.now();
      await Promise.all(crawlers.map((each) => each.run('crawl-site', siteJob({ rootUrl: `${site.origin}/` }))));
      // Each asks for robots.txt and for the sitemap, too.
      expect(requests).toBe(3 * (20 + 2));
      expect(clock.now() - begun).toBeGreaterThanOrEqual((requests - 1) * DELAY_MS);
      for (const each of crawlers) await each.close();
    });

    it('is not asked earlier by the one that takes over from another that was killed', async () => {
      const [pacing, blobs, mortal] = [memoryPacing(clock.now), inMemoryBlobStore(), new Mortal()];
      const killed = sharing(pacing, mortal, blobs);
      const begun = clock.now();
      const { promise: death, resolve: died } = Promise.withResolvers<string>();
      site.onRequest(() => {
        requests += 1;
        if (requests !== 10) return;
        mortal.die();
        died('dead');
      });
      void killed.run('crawl-site', siteJob({ rootUrl: `${site.origin}/` }));
      await death;
      const successor = sharing(pacing, new Mortal(), blobs);
      const told = await successor.run('crawl-site', siteJob({ rootUrl: `${site.origin}/` }));
      expect(told.enumerated).toEqual([expect.objectContaining({ documents: 20, complete: true })]);
      expect(clock.now() - begun).toBeGreaterThanOrEqual((requests - 1) * DELAY_MS);
      await successor.close();
      await killed.close();
    });
  });

  it('is handed back at once when the crawler is closed, and ends elsewhere', async () => {
    tree(PAGES);
    const blobs = inMemoryBlobStore();
    const closed = testCrawler({ html: reader, blobs });
    let closing: Promise<void> | undefined;
    let asked = 0;
    site.onRequest(() => {
      asked += 1;
      if (asked === PAGES / 2) closing = closed.close();
    });
    const told = await closed.run('crawl-site', siteJob({ rootUrl: `${site.origin}/` }));
    await closing;
    expect(told.enumerated).toEqual([]);
    expect(told.statuses.map(({ status }) => status)).toEqual(['running']);
    const elsewhere = testCrawler({ html: reader, blobs });
    const rest = await elsewhere.run('crawl-site', siteJob({ rootUrl: `${site.origin}/` }));
    expect(rest.enumerated).toEqual([expect.objectContaining({ documents: PAGES, complete: true })]);
    expect(told.indexed.length + rest.indexed.length).toBe(PAGES);
    await elsewhere.close();
  });

  it('stops soon when it is cancelled between pages', async () => {
    const job = siteJob({ rootUrl: `${site.origin}/` });
    tree(PAGES);
    const slow = testCrawler({ html: reader, settings: { delayMs: 100 } });
    site.onRequest(() => void cancelRuns(slow.blobs, job));
    const told = await slow.run('crawl-site', job);
    expect(told.statuses.at(-1)).toMatchObject({ status: 'error', code: 'cancelled' });
    expect(told.indexed.length).toBeLessThan(PAGES);
    expect(told.enumerated).toEqual([]);
    await slow.close();
  });

  it('is not told as crawled when it was cancelled before its end', async () => {
    const job = siteJob({ rootUrl: `${site.origin}/` });
    tree(1);
    site.onRequest(() => void cancelRuns(crawler.blobs, job));
    const told = await crawler.run('crawl-site', job);
    expect(told.statuses.at(-1)).toMatchObject({ status: 'error', code: 'cancelled' });
    expect(told.enumerated).toEqual([]);
  });

  describe('when it is cancelled while it waits for its host', () => {
    const FIVE_MINUTES = 300_000;
    /** The host's next turn is minutes away, and no test waits for that. */
    const isCancelledWhenAsked = async (job: CrawlSite): Promise<void> => {
      const told = await crawler.run('crawl-site', job);
      expect(told.statuses.at(-1)).toMatchObject({ status: 'error', code: 'cancelled' });
      expect(site.requests).toEqual([]);
    };

    it.each([
      ['root', { rootUrl: '/' }],
      ['sitemap', { sitemap: '/sitemap.xml' }],
    ])('stops soon, before it has its %s', async (_what, where) => {
      const robots = 'User-agent: *\nCrawl-delay: 60';
      site.app.get('/robots.txt', (_request, response) => void response.type('text').send(robots));
      const job = siteJob(Object.fromEntries(Object.entries(where).map(([name, path]) => [name, site.origin + path])));
      site.onRequest(() => void cancelRuns(crawler.blobs, job));
      await isCancelledWhenAsked(job);
    });

    it('stops soon, before it has its robots.txt', async () => {
      const queues = inMemoryQueues();
      await queues.pacing.hold(new URL(site.origin).host, FIVE_MINUTES);
      const job = siteJob({ rootUrl: site.origin });
      const waiting = testCrawler({ html: reader, queues, blobs: crawler.blobs });
      const run = waiting.run('crawl-site', job);
      await expect.poll(() => waiting.told(job.runId).statuses.length).toBe(1);
      await cancelRuns(crawler.blobs, job);
      expect((await run).statuses.at(-1)).toMatchObject({ status: 'error', code: 'cancelled' });
      await waiting.close();
    });
  });

  it('leaves no blob behind when its datasource is removed in the middle', async () => {
    tree(PAGES);
    const written = new Set<string>();
    const blobs = inMemoryBlobStore();
    const write: BlobStore['write'] = (key, content) => {
      written.add(key);
      return blobs.write(key, content);
    };
    const removing = testCrawler({ html: reader, blobs: { ...blobs, write } });
    const job = siteJob({ rootUrl: `${site.origin}/` });
    let asked = 0;
    site.onRequest(() => {
      asked += 1;
      if (asked === PAGES / 2) void cancelForGood(blobs, job).then(() => blobs.removeAll(folderOfDatasource(job)));
    });
    const told = await removing.run('crawl-site', job);
    expect(told.statuses.at(-1)).toMatchObject({ status: 'error', code: 'cancelled' });
    expect(written.size).toBeGreaterThan(PAGES / 4);
    for (const key of written) await expect(blobs.read(key)).rejects.toThrow('there is no blob');
    await removing.close();
  });

  it('does the same when it is run twice', async () => {
    page('/', 'Home', links('/a', '/b', '/none', '/copy'));
    page('/a', 'A', '<p>Text of A.</p>');
    page('/b', 'B', '<p>Text of B.</p>', '<link rel="canonical" href="/a">');
    page('/copy', 'A', '<p>Text of A.</p>');
    const first = await crawl();
    site.forget();
    const again = testCrawler({ html: reader, blobs: crawler.blobs });
    const second = await again.run('crawl-site', siteJob({ rootUrl: `${site.origin}/` }));
    const ends = [first, second].map(({ enumerated }) =>
      enumerated.map((end) => Object.assign({}, end, { at: undefined })),
    );
    expect(ends[1]).toEqual(ends[0]);
    expect(first.enumerated[0]?.documents).toBe(5);
    expect(site.requests).toEqual([]);
    await again.close();
  });

  describe('what is not indexed', () => {
    it('is named with the reason', async () => {
      const { app } = site;
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
      expect(told.enumerated).toEqual([expect.objectContaining({ documents: 13, complete: false })]);
      expect(told.enumerated[0]?.note).toContain('/broken');
      expect(site.requests).not.toContain('/private/x');
      expect(told.settled.every(({ message, source }) => (message?.length ?? 0) > 10 && source !== undefined)).toBe(
        true,
      );
    });

    it('was indexed before: it is named with its reason, so that the gateway can remove it', async () => {
      let there = true;
      page('/', 'Home', links('/a', '/b'));
      page('/b', 'B', '<p>Text of B.</p>');
      site.app.get('/a', (_request, response) => {
        if (there) response.type('html').send(html('A', 'Text'));
        else response.status(410).end();
      });
      expect(indexed(await crawl())).toEqual(['/', '/a', '/b']);
      there = false;
      for (const runId of ['run-2', 'run-3']) {
        const told = await crawl({}, runId);
        expect(indexed(told)).toEqual(['/', '/b']);
        expect(left(told)).toEqual(['/a skipped gone']);
        expect(told.enumerated).toEqual([expect.objectContaining({ documents: 3, complete: true })]);
      }
      there = true;
      expect(indexed(await crawl({}, 'run-4'))).toEqual(['/', '/a', '/b']);
    });

    it('could not be had this time: it is named as failed, its links are those of before, and nothing counts as gone', async () => {
      let broken = false;
      page('/', 'Home', links('/list'));
      page('/item', 'Item', '<p>Only the list leads here.</p>');
      site.app.get('/list', (_request, response) => {
        if (broken) response.status(503).end();
        else response.type('html').send(html('List', links('/item')));
      });
      await crawl();
      broken = true;
      const told = await crawl({}, 'run-2');
      expect(indexed(told)).toEqual(['/', '/item']);
      expect(left(told)).toEqual(['/list failed fetch_failed']);
      expect(told.enumerated).toEqual([expect.objectContaining({ documents: 3, complete: true })]);
    });
  });

  describe('the same page under several addresses', () => {
    it('is indexed once: by what it holds, and by the address that it names', async () => {
      page('/', 'Home', links('/a', '/a-copy', '/shirt?colour=red', '/shirt?colour=blue', '/self'));
      page('/a', 'A', '<p>Text of A.</p>');
      page('/a-copy', 'A', '<p>Text of A.</p>');
      site.app.get('/shirt', (request, response) => {
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
        `${site.origin}/shirt`,
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
      site.app.get('/old', (_request, response) => {
        response.redirect(301, '/new');
      });
      site.app.get('/older', (_request, response) => {
        response.redirect(301, '/old');
      });
      const told = await crawl();
      expect(indexed(told)).toEqual(['/', '/new']);
      expect(told.enumerated).toEqual([expect.objectContaining({ documents: 2, complete: true })]);
    });
  });

  describe('how far it goes', () => {
    const chain = (): void => {
      site.app.get(['/', '/n/:n'], (request, response) => {
        const n = Number(request.params['n'] ?? 0);
        response.type('html').send(html(`N ${n}`, `<p>Number ${n}.</p>${links(`/n/${n + 1}`)}`));
      });
    };

    it('is as many links as it may, and what is further is not part of the site', async () => {
      chain();
      const told = await crawl({ maxDepth: 3 });
      expect(indexed(told)).toEqual(['/', '/n/1', '/n/2', '/n/3']);
      expect(told.enumerated).toEqual([expect.objectContaining({ documents: 4, complete: true })]);
    });

    it('is as many pages as it may, and what is beyond does not count as gone', async () => {
      chain();
      const told = await crawl({ maxPages: 5 });
      expect(told.indexed).toHaveLength(5);
      expect(told.enumerated).toEqual([expect.objectContaining({ documents: 6, complete: false })]);
      expect(told.enumerated[0]?.note).toContain('limit of 5');
      expect(left(told)).toEqual(['/n/5 skipped limit_reached']);
    });

    it('is the site: no other hosts, no assets, nothing that is left out, no links that are not to be followed', async () => {
      page(
        '/',
        'Home',
        [
          links(
            'http://elsewhere.example/',
            '/picture.png',
            '/tag/x',
            '/kept',
            'mailto:a@example.com',
            '/a/b/a/b/a/b/a/b/',
          ),
          '<a rel="nofollow" href="/unfollowed">x</a>',
        ].join(''),
      );
      page('/kept', 'Kept', '<p>Text.</p>', '<meta name="robots" content="nofollow">');
      const told = await crawl({ exclude: ['/tag/'] });
      expect(indexed(told)).toEqual(['/', '/kept']);
      expect(site.requests).toEqual(['/', '/sitemap.xml', '/kept']);
    });

    it('begins at a root that is not itself wanted', async () => {
      page('/', 'Home', links('/blog/1', '/shop/1'));
      page('/blog/1', 'Post', '<p>Text.</p>');
      expect(indexed(await crawl({ include: ['/blog/'] }))).toEqual(['/blog/1']);
    });

    it('goes where the root was moved to', async () => {
      site.app.get('/', (_request, response) => {
        response.redirect('/en/');
      });
      page('/en/', 'Home', links('/en/a', '/other'));
      page('/en/a', 'A', '<p>Text.</p>');
      page('/other', 'Other', '<p>More text.</p>');
      expect(indexed(await crawl())).toEqual(['/en/', '/en/a', '/other']);
      const below = await crawler.run('crawl-site', siteJob({ rootUrl: `${site.origin}/en/` }, 'run-2'));
      expect(indexed(below)).toEqual(['/en/', '/en/a']);
    });

    it('takes files that ingestion reads', async () => {
      page('/', 'Home', links('/report.pdf', '/data.csv'));
      site.app.get('/report.pdf', (_request, response) => void response.type('application/pdf').send('%PDF-1.7'));
      site.app.get(
        '/data.csv',
        (_request, response) =>
          void response.set('content-type', 'text/csv; charset=iso-8859-1').send(Buffer.from('a,b\nä,ö\n', 'latin1')),
      );
      const told = await crawl();
      expect(told.indexed.map(({ name, mimeType }) => [name, mimeType])).toEqual([
        ['Home', 'text/markdown'],
        ['report.pdf', 'application/pdf'],
        ['data.csv', 'text/csv'],
      ]);
      await expect(crawler.blob(told.indexed[2]?.blobKey ?? '')).resolves.toBe('a,b\nä,ö\n');
    });
  });

  describe('by sitemap', () => {
    const sitemap = (path: string, body: string | Buffer, type = 'application/xml'): void => {
      site.app.get(path, (_request, response) => void response.type(type).send(body));
    };
    const urlset = (...entries: readonly (readonly [path: string, modified?: string])[]): string =>
      `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries
        .map(
          ([path, modified]) =>
            `<url><loc>${site.origin}${path}</loc>${modified === undefined ? '' : `<lastmod>${modified}</lastmod>`}</url>`,
        )
        .join('')}</urlset>`;
    const bySitemap = (path = '/sitemap.xml', runId?: string): Promise<Told> =>
      crawler.run('crawl-site', siteJob({ sitemap: site.origin + path }, runId));

    it('takes the pages that it lists and follows no links', async () => {
      sitemap('/sitemap.xml', urlset(['/a'], ['/b?x=1&amp;y=2'], ['/a#top']));
      page('/a', 'A', links('/c'));
      page('/b', 'B', '<p>Text of B.</p>');
      const told = await bySitemap();
      expect(indexed(told)).toEqual(['/a', '/b?x=1&y=2']);
      expect(told.enumerated).toEqual([expect.objectContaining({ documents: 2, complete: true })]);
    });

    it('reads an index of gzipped sitemaps', async () => {
      sitemap(
        '/index.xml',
        `<sitemapindex><sitemap><loc>${site.origin}/s1.xml.gz</loc></sitemap><sitemap><loc>/s2.xml</loc></sitemap></sitemapindex>`,
      );
      sitemap('/s1.xml.gz', gzipSync(urlset(['/a'])), 'application/octet-stream');
      sitemap('/s2.xml', urlset(['/b']));
      page('/a', 'A', '<p>Text of A.</p>');
      page('/b', 'B', '<p>Text of B.</p>');
      expect(indexed(await bySitemap('/index.xml'))).toEqual(['/a', '/b']);
    });

    it('is not complete when a part of it cannot be read, and says which', async () => {
      sitemap(
        '/index.xml',
        `<sitemapindex><sitemap><loc>/s1.xml</loc></sitemap><sitemap><loc>/s2.xml</loc></sitemap></sitemapindex>`,
      );
      sitemap('/s1.xml', urlset(['/a']));
      page('/a', 'A', '<p>Text of A.</p>');
      const told = await bySitemap('/index.xml');
      expect(indexed(told)).toEqual(['/a']);
      expect(told.enumerated).toEqual([expect.objectContaining({ documents: 1, complete: false })]);
      expect(told.enumerated[0]?.note).toContain(`${site.origin}/s2.xml`);
    });

    it('reads no endless tree of sitemaps, and then does not take for gone what it has not read', async () => {
      site.app.get('/s/:n', (request, response) => {
        const n = Number(request.params.n);
        const named = [2 * n, 2 * n + 1].map((next) => `<sitemap><loc>/s/${next}</loc></sitemap>`).join('');
        response.type('application/xml').send(`<sitemapindex>${named}<url><loc>/p/${n}</loc></url></sitemapindex>`);
      });
      site.app.get('/p/:n', (request, response) => {
        response.type('html').send(html(`P ${request.params.n}`, `<p>Page ${request.params.n}.</p>`));
      });
      const told = await bySitemap('/s/1');
      expect(site.requests.filter((path) => path.startsWith('/s/'))).toHaveLength(1 + 2 + 4 + 8);
      expect(told.enumerated).toEqual([expect.objectContaining({ complete: false })]);
      expect(told.enumerated[0]?.note).toContain('more sitemaps than are read');
    });

    it.each([
      ['a page of HTML', '<!doctype html><html><body>Not found</body></html>', 'sitemap_unreadable', /page of HTML/],
      ['nothing', '', 'sitemap_unreadable', /empty/],
      ['no addresses', '<urlset></urlset>', 'sitemap_empty', /lists no page/],
      [
        'pages of others alone',
        '<urlset><url><loc>http://elsewhere.example/</loc></url></urlset>',
        'sitemap_empty',
        /elsewhere\.example/,
      ],
      ['broken gzip', gzipSync('x'.repeat(1_000)).subarray(0, 15), 'sitemap_unreadable', /gzip/],
    ])('ends in error for %s', async (_what, body, code, message) => {
      sitemap('/sitemap.xml', body, 'application/octet-stream');
      const told = await bySitemap();
      expect(told.statuses.at(-1)).toMatchObject({ status: 'error', code });
      expect(told.statuses.at(-1)?.message).toMatch(message);
      expect(told.enumerated).toEqual([]);
    });

    it('ends in error when it is not there', async () => {
      const told = await bySitemap('/none.xml');
      expect(told.statuses.at(-1)).toMatchObject({
        status: 'error',
        code: 'sitemap_unreadable',
        message: expect.stringContaining('404') as string,
      });
    });

    it('takes pages of another site whose robots.txt names the sitemap', async () => {
      const other = await localSite();
      other.app.get(
        '/robots.txt',
        (_request, response) => void response.type('text').send(`Sitemap: ${site.origin}/sitemap.xml`),
      );
      other.app.get('/x', (_request, response) => void response.type('html').send(html('X', '<p>Text of X.</p>')));
      sitemap(
        '/sitemap.xml',
        `<urlset><url><loc>${other.origin}/x</loc></url><url><loc>http://elsewhere.example/</loc></url></urlset>`,
      );
      const told = await bySitemap();
      expect(told.indexed.map(({ documentKey }) => documentKey)).toEqual([`${other.origin}/x`]);
      expect(told.enumerated[0]).toMatchObject({
        documents: 2,
        complete: true,
        note: expect.stringContaining('elsewhere.example') as string,
      });
      await other.close();
    });

    it('believes its dates for pages that the server gives nothing to recognise by', async () => {
      site.app.disable('etag');
      sitemap('/sitemap.xml', urlset(['/a', '2020-01-01'], ['/b', '2020-01-01T00:00:00Z'], ['/c']));
      page('/a', 'A', '<p>Text of A.</p>');
      page('/b', 'B', '<p>Text of B.</p>');
      page('/c', 'C', '<p>Text of C.</p>');
      const first = await bySitemap();
      site.forget();
      const second = await bySitemap('/sitemap.xml', 'run-2');
      expect(site.requests).toEqual(['/sitemap.xml', '/c']);
      expect(indexed(second)).toEqual(indexed(first));
    });

    it('is found through robots.txt, and else at its usual place', async () => {
      let robots = '';
      site.app.get('/robots.txt', (_request, response) => void response.type('text').send(robots));
      sitemap('/maps/all.xml', urlset(['/named']));
      sitemap('/sitemap.xml', urlset(['/usual']));
      page('/', 'Home', '<p>No links.</p>');
      page('/named', 'Named', '<p>One.</p>');
      page('/usual', 'Usual', '<p>Two.</p>');
      expect(indexed(await crawl())).toEqual(['/', '/usual']);
      robots = 'Sitemap: /maps/all.xml';
      const later = testCrawler({ html: reader });
      expect(indexed(await later.run('crawl-site', siteJob({ rootUrl: `${site.origin}/` })))).toEqual(['/', '/named']);
      await later.close();
    });
  });

  describe('ends in error as a whole', () => {
    it.each([
      ['the root is missing', 404, 'not_found'],
      ['the root is forbidden', 403, 'access_denied'],
      ['the root is broken', 500, 'fetch_failed'],
    ])('when %s', async (_what, status, code) => {
      site.app.get('/', (_request, response) => void response.status(status).end());
      const told = await crawl();
      expect(told.statuses.at(-1)).toMatchObject({ status: 'error', code });
      expect(told.statuses.at(-1)?.sequence).toBe(
        told.statuses.filter(({ status: is }) => is === 'running').length * 10_000 + 9_999,
      );
      expect(told.enumerated).toEqual([]);
    });

    it('when robots.txt lets it nowhere, or cannot be had', async () => {
      site.app.get(
        '/robots.txt',
        (_request, response) => void response.type('text').send('User-agent: *\nDisallow: /'),
      );
      expect((await crawl()).statuses.at(-1)).toMatchObject({ status: 'error', code: 'robots_disallowed' });
      const other = await localSite();
      other.app.get('/robots.txt', (_request, response) => void response.status(503).end());
      const told = await crawler.run('crawl-site', siteJob({ rootUrl: other.origin }, 'run-2'));
      expect(told.statuses.at(-1)).toMatchObject({ status: 'error', code: 'robots_unreachable' });
      expect(other.requests).toEqual([]);
      await other.close();
    });
  });

  describe('a server with troubles', () => {
    it('is asked again, and what it gives then counts', async () => {
      const tries = new Map<string, number>();
      site.app.get('/{*path}', (request, response) => {
        const n = (tries.get(request.path) ?? 0) + 1;
        tries.set(request.path, n);
        if (['/sitemap.xml', '/robots.txt'].includes(request.path)) response.status(404).end();
        else if (n < 3) response.status(503).end();
        else response.type('html').send(html(request.path, links('/', '/a')));
      });
      const told = await crawl();
      expect(indexed(told)).toEqual(['/', '/a']);
      expect(told.enumerated).toEqual([expect.objectContaining({ complete: true })]);
    });

    it('that stops answering is left alone, with what was found until then', async () => {
      page('/', 'Home', links(...Array.from({ length: 100 }, (_, n) => `/p/${n}`)));
      site.app.get('/p/:n', (_request, response) => void response.status(500).end());
      const told = await crawl();
      expect(told.enumerated).toEqual([
        expect.objectContaining({ complete: false, note: expect.stringContaining('stopped answering') as string }),
      ]);
      expect(site.requests.length).toBeLessThan(100);
    });

    it('that asks for minutes gets them: the job comes back, and goes on where it was', async () => {
      const ready = new Set<string>();
      page('/', 'Home', links('/a', '/b'));
      page('/a', 'A', '<p>Text of A.</p>');
      site.app.get('/b', (_request, response) => {
        if (ready.has('/b')) response.type('html').send(html('B', '<p>Text of B.</p>'));
        else response.status(429).set('retry-after', '600').end();
        ready.add('/b');
      });
      const patient = testCrawler({ html: reader, clock: manualClock() });
      const told = await patient.run('crawl-site', siteJob({ rootUrl: `${site.origin}/` }));
      expect(indexed(told)).toEqual(['/', '/a', '/b']);
      expect(told.statuses.map(({ sequence }) => sequence)).toEqual([10_000, 20_000]);
      expect(site.requests.filter((path) => path === '/a')).toHaveLength(1);
      await patient.close();
    });

    it('that is slower than a crawl may take is indexed as far as it was crawled, and nothing counts as gone', async () => {
      tree(PAGES);
      const clock = manualClock();
      const slow = testCrawler({ html: reader, clock, settings: { delayMs: 1_000, maxRunMs: 20_000 } });
      const told = await slow.run('crawl-site', siteJob({ rootUrl: `${site.origin}/` }));
      expect(told.indexed.length).toBeGreaterThan(5);
      expect(site.requests.length).toBeLessThan(40);
      expect(told.enumerated).toEqual([
        expect.objectContaining({ complete: false, note: expect.stringContaining('longer than it may') as string }),
      ]);
      await slow.close();
    });

    it('is asked at its own pace', async () => {
      site.app.get(
        '/robots.txt',
        (_request, response) => void response.type('text').send('User-agent: *\nCrawl-delay: 7'),
      );
      page('/', 'Home', links('/a', '/b'));
      page('/a', 'A', '<p>Text of A.</p>');
      page('/b', 'B', '<p>Text of B.</p>');
      const clock = manualClock();
      const begun = clock.now();
      const polite = testCrawler({ html: reader, clock });
      await polite.run('crawl-site', siteJob({ rootUrl: `${site.origin}/` }));
      // robots.txt, root, sitemap, a, b.
      expect(clock.now() - begun).toBe(4 * 7_000);
      await polite.close();
    });
  });

  it('leaves a site alone whose pages cannot be read one after the other', async () => {
    const unreadable = { read: () => Promise.reject(new PageUnreadable('too slow')), close: () => Promise.resolve() };
    const home = {
      read: (input: HtmlInput) => (input.address.endsWith('/') ? reader : unreadable).read(input),
      close: unreadable.close,
    };
    page('/', 'Home', links(...Array.from({ length: 100 }, (_, n) => `/p/${n}`)));
    site.app.get('/p/:n', (_request, response) => void response.type('html').send('x'));
    const patient = testCrawler({ html: home });
    const told = await patient.run('crawl-site', siteJob({ rootUrl: `${site.origin}/` }));
    expect(told.enumerated[0]).toMatchObject({
      complete: false,
      note: expect.stringContaining('could not be read') as string,
    });
    expect(site.requests.length).toBeLessThan(50);
    await patient.close();
  });

  it('goes on when a page cannot be read in the time that it may take', async () => {
    page('/', 'Home', links('/hostile', '/a'));
    page('/a', 'A', '<p>Text of A.</p>');
    page('/hostile', 'Hostile', `${'<div><span>'.repeat(60_000)}x`);
    const hasty = testCrawler({ settings: { reading: { threads: 2, timeoutMs: 4_000, memoryMb: 256 } } });
    const told = await hasty.run('crawl-site', siteJob({ rootUrl: `${site.origin}/` }));
    expect(indexed(told)).toEqual(['/', '/a']);
    expect(left(told)).toEqual(['/hostile failed page_unreadable']);
    await hasty.close();
  });
});
