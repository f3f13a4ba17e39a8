import { getDatasourceFolder, type BlobStore } from '@quarry/blob-store';
import { createInMemoryBlobStore } from '@quarry/blob-store/testing';
import { type CrawlSite } from '@quarry/contracts';
import { createInMemoryQueues } from '@quarry/queue/testing';
import { describe, expect, it } from 'vitest';
import { buildSiteJob, startTestCrawler, type RunOutput } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const PAGES = 100;

const fixture = useSiteCrawl();
const { reader, addTree } = fixture;

/** Expects that a run emitted no final event, because the gateway had already ended the run. */
function expectNoFinalEvent({ statuses, enumerated }: RunOutput): void {
  expect(statuses.filter(({ status }) => status !== 'running')).toEqual([]);
  expect(enumerated).toEqual([]);
}

describe('a cancelled crawl', () => {
  it('a cancelled crawl stops between two pages', async () => {
    const job = buildSiteJob({ rootUrl: `${fixture.site.origin}/` });
    addTree(PAGES);
    const slow = startTestCrawler({ html: reader, settings: { delayMs: 100 } });
    fixture.site.onRequest(() => void slow.gateway.endRun(job));
    expectNoFinalEvent(await slow.run('crawl-site', job));
    expect(slow.getOutput(job).indexed.length).toBeLessThan(PAGES);
    await slow.close();
  });

  it('a cancelled crawl emits no final event', async () => {
    const job = buildSiteJob({ rootUrl: `${fixture.site.origin}/` });
    addTree(1);
    fixture.site.onRequest(() => void fixture.crawler.gateway.endRun(job));
    expectNoFinalEvent(await fixture.crawler.run('crawl-site', job));
  });

  describe('a cancelled crawl that waits for its host', () => {
    const FIVE_MINUTES = 300_000;
    /** Expects a crawl to end at once, without waiting until the rate limit of the host allows its next request. */
    const expectImmediateEnd = async (job: CrawlSite): Promise<void> => {
      expectNoFinalEvent(await fixture.crawler.run('crawl-site', job));
      expect(fixture.site.requests).toEqual([]);
    };

    it.each([
      ['root page', { rootUrl: '/' }],
      ['sitemap', { sitemap: '/sitemap.xml' }],
    ])('a cancelled crawl stops during the delay before it fetches the %s', async (_what, where) => {
      const robots = 'User-agent: *\nCrawl-delay: 60';
      fixture.site.app.get('/robots.txt', (_request, response) => void response.type('text').send(robots));
      const job = buildSiteJob(
        Object.fromEntries(Object.entries(where).map(([name, path]) => [name, fixture.site.origin + path])),
      );
      fixture.site.onRequest(() => void fixture.crawler.gateway.endRun(job));
      await expectImmediateEnd(job);
    });

    it('a cancelled crawl stops during the delay before it fetches robots.txt', async () => {
      let delays = 0;
      const queues = createInMemoryQueues(undefined, () => {
        delays += 1;
        void waiting.gateway.endRun(job);
      });
      await queues.pacing.blockKey(new URL(fixture.site.origin).host, FIVE_MINUTES);
      const job = buildSiteJob({ rootUrl: fixture.site.origin });
      const waiting = startTestCrawler({ html: reader, queues });
      expectNoFinalEvent(await waiting.run('crawl-site', job));
      expect(delays).toBe(1);
      expect(fixture.site.requests).toEqual([]);
      await waiting.close();
    });
  });

  it('a crawl leaves no blobs when its datasource is removed during the crawl', async () => {
    addTree(PAGES);
    const written = new Set<string>();
    const blobs = createInMemoryBlobStore();
    const write: BlobStore['write'] = (key, content) => {
      written.add(key);
      return blobs.write(key, content);
    };
    const removing = startTestCrawler({ html: reader, blobs: { ...blobs, write } });
    const job = buildSiteJob({ rootUrl: `${fixture.site.origin}/` });
    let requestCount = 0;
    fixture.site.onRequest(() => {
      requestCount += 1;
      if (requestCount !== PAGES / 2) return;
      void removing.gateway.removeDatasource(job).then(() => blobs.removeAll(getDatasourceFolder(job)));
    });
    expectNoFinalEvent(await removing.run('crawl-site', job));
    expect(written.size).toBeGreaterThan(PAGES / 4);
    for (const key of written) await expect(blobs.read(key)).rejects.toThrow('there is no blob');
    await removing.close();
  });
});
