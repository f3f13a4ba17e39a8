import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Told } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const used = useSiteCrawl();
const { crawl, html, left, links } = used;

const LAST_MODIFIED = 'Mon, 01 Jun 2026 12:00:00 GMT';

/** Answers of the site that is crawled, by path. */
let notModified: Set<string>;
let sent: Set<string>;
/** What stands for the fragment store: a hash of everything that ingestion compares, by document. */
let index: Map<string, string>;

beforeEach(() => {
  notModified = new Set();
  sent = new Set();
  index = new Map();
});

/** Answers with a page that has validators, or with 304. */
function serve(
  path: string,
  body: () => string,
  validator: 'etag' | 'date' | 'both' | 'none' = 'etag',
  type = 'html',
): void {
  used.site.app.get(path, (request: Request, response: Response) => {
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

/** Indexes what a run has handed to ingestion. @returns the paths of what differs from what is stored */
async function ingest({ indexed }: Told): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const { documentKey, blobKey, name, mimeType, source, metadata } of indexed) {
    const content = await used.crawler.blob(blobKey);
    const hash = JSON.stringify([name, mimeType, source, metadata, content]);
    if (index.get(documentKey) !== hash) changed.push(documentKey.replace(used.site.origin, ''));
    index.set(documentKey, hash);
  }
  return changed.toSorted();
}

describe('a site that is crawled again', () => {
  it('hands to ingestion what it handed before, for every page that has not changed', async () => {
    let text = 'first';
    const page = (title: string, body: string, head = ''): string => html(title, body, head);
    serve('/', () =>
      page(
        'Home',
        links(
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
    serve('/etag', () =>
      page('By ETag', '<p>One.</p>', '<meta name="author" content="A"><meta name="description" content="D">'),
    );
    serve('/date', () => page('By date', `<p>Two.</p>${links('/date')}`), 'date');
    used.site.app.get('/moved', (_request, response) => {
      response.redirect(301, '/arrived?ref=moved');
    });
    serve('/arrived', () => page('Arrived', '<p>Three.</p>'), 'both');
    serve('/names-etag', () => page('By ETag', '<p>One.</p>', '<link rel="canonical" href="/etag">'));
    serve('/names-none', () => page('Names none', '<p>Four.</p>', '<link rel="canonical" href="/missing">'));
    serve('/copy', () => page('By date', `<p>Two.</p>${links('/date')}`));
    serve('/file.txt', () => 'A text file.', 'etag', 'text/plain');
    serve('/none', () => page('No validators', '<p>Five.</p>'), 'none');
    serve('/late', () => page('Changes', `<p>${text}</p>`));
    used.site.app.get('/Slash', (request, response, next) => {
      if (request.path.endsWith('/')) next();
      else response.redirect(302, '/Slash/');
    });
    serve('/Slash/', () => page('Slash', '<p>Six.</p>', '<link rel="canonical" href="/Slash">'));

    const first = await crawl();
    const documents = await ingest(first);
    expect(documents).not.toEqual([]);
    expect(notModified).toEqual(new Set());

    sent.clear();
    const second = await crawl({ generation: 2 }, 'run-2');
    expect(await ingest(second)).toEqual([]);
    expect(sent).toEqual(new Set(['/none']));
    expect(left(second)).toEqual(left(first));
    expect(second.enumerated).toEqual([
      expect.objectContaining({ complete: true, discovered: first.enumerated[0]?.discovered }),
    ]);

    text = 'second';
    sent.clear();
    expect(await ingest(await crawl({ generation: 3 }, 'run-3'))).toEqual(['/late']);
    expect(sent).toEqual(new Set(['/none', '/late']));
  });

  it('hands on the same page of several that are equal, whatever order their answers come in', async () => {
    const delays = new Map<string, Promise<void>>();
    const copies = ['/a', '/b', '/c'];
    serve('/', () => html('Home', links(...copies)));
    for (const path of copies) {
      used.site.app.get(path, (_request, _response, next) => {
        void (delays.get(path) ?? Promise.resolve()).then(() => {
          next();
        });
      });
      serve(path, () => html('Same', '<p>The same.</p>'));
    }
    const kept = await ingest(await crawl());
    const slow = Promise.withResolvers<undefined>();
    delays.set('/a', slow.promise);
    used.site.onRequest(() => {
      if (used.site.requests.includes('/c')) slow.resolve(undefined);
    });
    expect(await ingest(await crawl({ generation: 2 }, 'run-2'))).toEqual([]);
    expect(kept).toEqual(['/', '/a']);
  });
});
