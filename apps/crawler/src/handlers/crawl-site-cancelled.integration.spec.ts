import { folderOfDatasource, type BlobStore } from '@quarry/blob-store';
import { inMemoryBlobStore } from '@quarry/blob-store/testing';
import { type CrawlSite } from '@quarry/contracts';
import { inMemoryQueues } from '@quarry/queue/testing';
import { describe, expect, it } from 'vitest';
import { siteJob, testCrawler, type Told } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const PAGES = 100;

const used = useSiteCrawl();
const { reader, tree } = used;

/** The gateway has ended the run already. */
function expectNoEnd({ statuses, enumerated }: Told): void {
  expect(statuses.filter(({ status }) => status !== 'running')).toEqual([]);
  expect(enumerated).toEqual([]);
}

describe('a crawl that is not wanted any more', () => {
  it('stops soon when it is cancelled between pages', async () => {
    const job = siteJob({ rootUrl: `${used.site.origin}/` });
    tree(PAGES);
    const slow = testCrawler({ html: reader, settings: { delayMs: 100 } });
    used.site.onRequest(() => void slow.gateway.endRun(job));
    expectNoEnd(await slow.run('crawl-site', job));
    expect(slow.told(job).indexed.length).toBeLessThan(PAGES);
    await slow.close();
  });

  it('is not told as crawled when it was cancelled before its end', async () => {
    const job = siteJob({ rootUrl: `${used.site.origin}/` });
    tree(1);
    used.site.onRequest(() => void used.crawler.gateway.endRun(job));
    expectNoEnd(await used.crawler.run('crawl-site', job));
  });

  describe('when it is cancelled while it waits for its host', () => {
    const FIVE_MINUTES = 300_000;
    /** The host's next turn is minutes away, and no test waits for that. */
    const isCancelledWhenAsked = async (job: CrawlSite): Promise<void> => {
      expectNoEnd(await used.crawler.run('crawl-site', job));
      expect(used.site.requests).toEqual([]);
    };

    it.each([
      ['root', { rootUrl: '/' }],
      ['sitemap', { sitemap: '/sitemap.xml' }],
    ])('stops soon, before it has its %s', async (_what, where) => {
      const robots = 'User-agent: *\nCrawl-delay: 60';
      used.site.app.get('/robots.txt', (_request, response) => void response.type('text').send(robots));
      const job = siteJob(
        Object.fromEntries(Object.entries(where).map(([name, path]) => [name, used.site.origin + path])),
      );
      used.site.onRequest(() => void used.crawler.gateway.endRun(job));
      await isCancelledWhenAsked(job);
    });

    it('stops soon, before it has its robots.txt', async () => {
      const queues = inMemoryQueues();
      await queues.pacing.hold(new URL(used.site.origin).host, FIVE_MINUTES);
      const job = siteJob({ rootUrl: used.site.origin });
      const waiting = testCrawler({ html: reader, queues });
      const run = waiting.run('crawl-site', job);
      await expect.poll(() => waiting.told(job).statuses.length).toBe(1);
      await waiting.gateway.endRun(job);
      expectNoEnd(await run);
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
    const job = siteJob({ rootUrl: `${used.site.origin}/` });
    let asked = 0;
    used.site.onRequest(() => {
      asked += 1;
      if (asked !== PAGES / 2) return;
      void removing.gateway.removeDatasource(job).then(() => blobs.removeAll(folderOfDatasource(job)));
    });
    expectNoEnd(await removing.run('crawl-site', job));
    expect(written.size).toBeGreaterThan(PAGES / 4);
    for (const key of written) await expect(blobs.read(key)).rejects.toThrow('there is no blob');
    await removing.close();
  });
});
