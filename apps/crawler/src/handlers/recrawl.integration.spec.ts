import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../testing/manual-clock.js';
import { buildSiteJob, startTestCrawler, type RunOutput } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const fixture = useSiteCrawl();
const { crawl, buildPage, listNotIndexed, buildLinks } = fixture;

const LAST_MODIFIED = 'Mon, 01 Jun 2026 12:00:00 GMT';

/** The paths of requests that the site answered with 304. */
let notModified: Set<string>;
let sent: Set<string>;
/**
 * Simulates the fragment store. Maps each document key to a JSON text of the content and the fields whose changes
 * ingestion detects.
 */
let index: Map<string, string>;

beforeEach(() => {
  notModified = new Set();
  sent = new Set();
  index = new Map();
});

/**
 * Serves a page with an ETag, a modification date, both or none. Responds with 304 to a conditional request if the page
 * has not changed.
 */
function servePage(
  path: string,
  body: () => string,
  validator: 'etag' | 'date' | 'both' | 'none' = 'etag',
  type = 'html',
): void {
  fixture.site.app.get(path, (request: Request, response: Response) => {
    const etag = `"${createHash('sha1').update(body()).digest('hex')}"`;
    if (validator === 'etag' || validator === 'both') response.set('ETag', etag);
    if (validator === 'date' || validator === 'both') response.set('Last-Modified', LAST_MODIFIED);
    const isKnown =
      validator === 'date'
        ? request.get('if-modified-since') === LAST_MODIFIED
        : validator !== 'none' && request.get('if-none-match') === etag;
    (isKnown ? notModified : sent).add(request.path);
    if (isKnown) response.status(304).end();
    else response.type(type).send(body());
  });
}

/** Indexes the documents of a run in `index`. @returns the paths of documents that were new or have changed */
async function indexDocuments({ indexed }: RunOutput): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const { documentKey, blobKey, name, mimeType, source, metadata } of indexed) {
    const content = await fixture.crawler.readBlob(blobKey);
    const hash = JSON.stringify([name, mimeType, source, metadata, content]);
    if (index.get(documentKey) !== hash) changed.push(documentKey.replace(fixture.site.origin, ''));
    index.set(documentKey, hash);
  }
  return changed.toSorted();
}

describe('a repeated crawl', () => {
  it('a crawl does not index a file that an earlier run indexed if the 304 response for the file has the header `X-Robots-Tag: noindex`', async () => {
    let robots = '';
    fixture.site.app.get('/report.txt', (_request, response, next) => {
      if (robots !== '') response.set('X-Robots-Tag', robots);
      next();
    });
    servePage('/', () => buildPage('Home', buildLinks('/report.txt')), 'none');
    servePage('/report.txt', () => 'A confidential report.', 'etag', 'text');
    await crawl({}, 'run-1');
    robots = 'noindex';
    for (const runId of ['run-2', 'run-3']) {
      const output = await crawl({}, runId);
      expect(fixture.listIndexed(output)).toEqual(['/']);
      expect(listNotIndexed(output)).toEqual(['/report.txt skipped noindex']);
    }
    expect(notModified).toEqual(new Set(['/report.txt']));
  });

  it('if the server responds with 304 to a request without validators, a crawl records the page as failed, and continues', async () => {
    servePage('/', () => buildPage('Home', `<p>All pages.</p>${buildLinks('/broken', '/works')}`), 'none');
    servePage('/works', () => buildPage('Works', '<p>A text.</p>'), 'none');
    fixture.site.app.get('/broken', (_request, response) => void response.status(304).end());
    const output = await crawl();
    expect(fixture.listIndexed(output)).toEqual(['/', '/works']);
    expect(listNotIndexed(output)).toEqual(['/broken failed fetch_failed']);
  });

  it('a crawl requests a page that had a noindex directive in the last run, even if its date in the sitemap is that of the stored content', async () => {
    let isListed = true;
    let head = '';
    fixture.site.app.get('/sitemap.xml', (_request, response) => {
      const entry = `<url><loc>${fixture.site.origin}/page</loc><lastmod>2020-01-01</lastmod></url>`;
      response.type('application/xml').send(`<urlset>${isListed ? entry : ''}</urlset>`);
    });
    servePage('/', () => buildPage('Home', `<p>All pages.</p>${buildLinks('/page')}`), 'none');
    servePage('/page', () => buildPage('Page', '<p>A text.</p>', head), 'none');
    expect(fixture.listIndexed(await crawl({}, 'run-1'))).toEqual(['/', '/page']);
    [isListed, head] = [false, '<meta name="robots" content="noindex">'];
    expect(listNotIndexed(await crawl({}, 'run-2'))).toEqual(['/page skipped noindex']);
    isListed = true;
    expect(listNotIndexed(await crawl({}, 'run-3'))).toEqual(['/page skipped noindex']);
  });

  it('a crawl does not index a page after its `unavailable_after` date, even if the server responds to conditional requests with 304', async () => {
    const clock = createManualClock(Date.parse('2026-01-01T00:00:00Z'));
    const crawler = startTestCrawler({ html: fixture.reader, clock });
    const crawlRun = (runId: string): Promise<RunOutput> =>
      crawler.run('crawl-site', buildSiteJob({ rootUrl: `${fixture.site.origin}/` }, runId));
    const head = '<meta name="robots" content="unavailable_after: 2026-01-02T00:00:00Z">';
    servePage('/', () => buildPage('Home', `<p>All pages.</p>${buildLinks('/offer', '/report.txt')}`), 'none');
    servePage('/offer', () => buildPage('Offer', '<p>A text.</p>', head));
    fixture.site.app.get('/report.txt', (request, response, next) => {
      if (request.get('if-none-match') === undefined)
        response.set('X-Robots-Tag', 'unavailable_after: Fri, 02 Jan 2026 00:00:00 GMT');
      next();
    });
    servePage('/report.txt', () => 'A report.', 'etag', 'text');
    for (const runId of ['run-1', 'run-2'])
      expect(fixture.listIndexed(await crawlRun(runId))).toEqual(['/', '/offer', '/report.txt']);
    expect(notModified).toEqual(new Set(['/offer', '/report.txt']));
    clock.advance(2 * 86_400_000);
    for (const runId of ['run-3', 'run-4'])
      expect(listNotIndexed(await crawlRun(runId))).toEqual(['/offer skipped noindex', '/report.txt skipped noindex']);
    await crawler.close();
  });

  it('if a crawl removes text blocks that repeat on many pages, a second crawl creates identical documents for the unchanged pages', async () => {
    const notice = 'The office is closed in August.';
    const paths = Array.from({ length: 9 }, (_, n) => `/p${n}`);
    servePage('/', () => buildPage('Home', `<p>All pages.</p>${buildLinks(...paths)}`), 'none');
    for (const path of paths) {
      const text = `<p>Page ${path} is about the pump of this name, its seals and its filters.</p>`;
      servePage(path, () => buildPage(path, `${text}<p>${notice}</p>`), 'none');
    }
    const output = await crawl();
    await indexDocuments(output);
    const contents = await Promise.all(output.indexed.map(({ blobKey }) => fixture.crawler.readBlob(blobKey)));
    expect(contents.filter((content) => content.includes(notice))).toHaveLength(4);
    expect(contents.filter((content) => content.includes('about the pump'))).toHaveLength(9);
    expect(await indexDocuments(await crawl({}, 'run-2'))).toEqual([]);
  });

  it('a repeated crawl enqueues identical documents for unchanged pages', async () => {
    let text = 'first';
    const buildTitledPage = (title: string, body: string, head = ''): string => buildPage(title, body, head);
    servePage('/', () =>
      buildTitledPage(
        'Home',
        buildLinks(
          '/etag',
          '/date?utm_source=home',
          '/moved',
          '/names-etag',
          '/names-none',
          '/copy',
          '/file.txt',
          '/none',
          '/late',
          '/Slash',
        ),
      ),
    );
    servePage('/etag', () =>
      buildTitledPage(
        'By ETag',
        '<p>One.</p>',
        '<meta name="author" content="A"><meta name="description" content="D">',
      ),
    );
    servePage('/date', () => buildTitledPage('By date', `<p>Two.</p>${buildLinks('/date')}`), 'date');
    fixture.site.app.get('/moved', (_request, response) => {
      response.redirect(301, '/arrived?ref=moved');
    });
    servePage('/arrived', () => buildTitledPage('Arrived', '<p>Three.</p>'), 'both');
    servePage('/names-etag', () => buildTitledPage('By ETag', '<p>One.</p>', '<link rel="canonical" href="/etag">'));
    servePage('/names-none', () =>
      buildTitledPage('Names none', '<p>Four.</p>', '<link rel="canonical" href="/missing">'),
    );
    servePage('/copy', () => buildTitledPage('By date', `<p>Two.</p>${buildLinks('/date')}`));
    servePage('/file.txt', () => 'A text file.', 'etag', 'text/plain');
    servePage('/none', () => buildTitledPage('No validators', '<p>Five.</p>'), 'none');
    servePage('/late', () => buildTitledPage('Changes', `<p>${text}</p>`));
    fixture.site.app.get('/Slash', (request, response, next) => {
      if (request.path.endsWith('/')) next();
      else response.redirect(302, '/Slash/');
    });
    servePage('/Slash/', () => buildTitledPage('Slash', '<p>Six.</p>', '<link rel="canonical" href="/Slash">'));

    const first = await crawl();
    const documents = await indexDocuments(first);
    expect(documents).not.toEqual([]);
    expect(notModified).toEqual(new Set());

    sent.clear();
    const second = await crawl({ generation: 2 }, 'run-2');
    expect(await indexDocuments(second)).toEqual([]);
    expect(sent).toEqual(new Set(['/none']));
    expect(listNotIndexed(second)).toEqual(listNotIndexed(first));
    expect(second.enumerated).toEqual([
      expect.objectContaining({ complete: true, discovered: first.enumerated[0]?.discovered }),
    ]);

    text = 'second';
    sent.clear();
    expect(await indexDocuments(await crawl({ generation: 3 }, 'run-3'))).toEqual(['/late']);
    expect(sent).toEqual(new Set(['/none', '/late']));
  });

  it('if several pages are duplicates, a second crawl indexes the same page as the first crawl, whatever the order of the responses', async () => {
    const delays = new Map<string, Promise<void>>();
    const duplicates = ['/a', '/b', '/c'];
    servePage('/', () => buildPage('Home', buildLinks(...duplicates)));
    for (const path of duplicates) {
      fixture.site.app.get(path, (_request, _response, next) => {
        void (delays.get(path) ?? Promise.resolve()).then(() => {
          next();
        });
      });
      servePage(path, () => buildPage('Same', '<p>The same.</p>'));
    }
    const documents = await indexDocuments(await crawl());
    const slow = Promise.withResolvers<undefined>();
    delays.set('/a', slow.promise);
    fixture.site.onRequest(() => {
      if (fixture.site.requests.includes('/c')) slow.resolve(undefined);
    });
    expect(await indexDocuments(await crawl({ generation: 2 }, 'run-2'))).toEqual([]);
    expect(documents).toEqual(['/', '/a']);
  });
});
