import { describe, expect, it } from 'vitest';
import { buildSiteJob, startTestCrawler } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const fixture = useSiteCrawl();
const { crawl, listIndexed, buildLinks, addPage, reader, addTree } = fixture;

describe('crawl-site', () => {
  it('a crawl records each of 500 pages once, and the next run downloads only changed pages', async () => {
    const changed = new Set<number>();
    addTree(500, changed);
    const first = await crawl();
    expect(new Set(listIndexed(first)).size).toBe(500);
    expect(first.indexed).toHaveLength(500);
    expect(new Set(first.indexed.map(({ mimeType }) => mimeType))).toEqual(new Set(['text/markdown']));
    expect(first.enumerated).toEqual([expect.objectContaining({ discovered: 500, complete: true, fetched: 500 })]);
    expect(first.enumerated[0]).not.toHaveProperty('note');
    expect(first.settled).toEqual([]);
    expect(first.statuses.map(({ status, sequence }) => [status, sequence])).toEqual([['running', 10_001]]);
    const fetched = first.progress.map(({ counters }) => counters?.fetched ?? 0);
    expect(fetched.length).toBeGreaterThan(0);
    expect(fetched).toEqual(fetched.toSorted((a, b) => a - b));
    expect(fixture.site.requests.filter((path) => path !== '/sitemap.xml')).toHaveLength(500);
    const firstBytes = fixture.site.countSentBytes();

    fixture.site.resetCounters();
    const second = await crawl({}, 'run-2');
    expect(listIndexed(second)).toEqual(listIndexed(first));
    expect(second.enumerated).toEqual([expect.objectContaining({ discovered: 500, complete: true })]);
    expect(fixture.site.requests).toHaveLength(501);
    const again = `${fixture.site.requests.length} requests and ${fixture.site.countSentBytes()} bytes of bodies`;
    console.log(`500 pages: ${firstBytes} bytes of bodies; the second time, with nothing changed: ${again}`);
    expect(fixture.site.countSentBytes()).toBeLessThan(firstBytes / 100);

    fixture.site.resetCounters();
    changed.add(7).add(42);
    const third = await crawl({}, 'run-3');
    const texts = await Promise.all(third.indexed.map(({ blobKey }) => fixture.crawler.readBlob(blobKey)));
    expect(texts.filter((text) => text.includes('which was changed'))).toHaveLength(2);
    expect(fixture.site.countSentBytes()).toBeLessThan(firstBytes / 20);
  });

  it('if the job of a completed crawl runs again, the crawl sends no request, and ends with the same result', async () => {
    addPage('/', 'Home', buildLinks('/a', '/b', '/none', '/copy'));
    addPage('/a', 'A', '<p>Text of A.</p>');
    addPage('/b', 'B', '<p>Text of B.</p>', '<link rel="canonical" href="/a">');
    addPage('/copy', 'A', '<p>Text of A.</p>');
    const first = await crawl();
    fixture.site.resetCounters();
    const { blobs, gateway } = fixture.crawler;
    const again = startTestCrawler({ html: reader, blobs, gateway });
    const second = await again.run('crawl-site', buildSiteJob({ rootUrl: `${fixture.site.origin}/` }));
    const ends = [first, second].map(({ enumerated }) =>
      enumerated.map((end) => Object.assign({}, end, { at: undefined })),
    );
    expect(ends[1]).toEqual(ends[0]);
    expect(first.enumerated[0]?.discovered).toBe(5);
    expect(fixture.site.requests).toEqual([]);
    await again.close();
  });
});
