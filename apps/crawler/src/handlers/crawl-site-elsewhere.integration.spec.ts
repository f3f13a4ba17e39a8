import { inMemoryBlobStore } from '@quarry/blob-store/testing';
import { inMemoryQueues, memoryPacing } from '@quarry/queue/testing';
import { CrashableProcess, inMemoryRunGateway } from '@quarry/run-reporting/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { manualClock } from '../testing/manual-clock.js';
import { crashableQueues } from '../testing/crashable-queues.js';
import { siteJob, testCrawler, type TestCrawler } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const PAGES = 100;

const used = useSiteCrawl();
const { reader, tree } = used;

describe('a crawl that several crawlers run', () => {
  describe('taken over from a process that was killed in the middle', () => {
    it('loses no page, names none differently, and fetches again only what was under way', async () => {
      tree(PAGES);
      const process = new CrashableProcess();
      const blobs = inMemoryBlobStore();
      const queues = inMemoryQueues();
      const gateway = inMemoryRunGateway();
      const job = siteJob({ rootUrl: `${used.site.origin}/` });
      const first = testCrawler({
        ...{ html: reader, gateway, runs: process.gateway(gateway.gateway) },
        ...{ blobs: process.blobs(blobs), queues: crashableQueues(process, queues) },
      });
      let asked = 0;
      const killed = new Promise<void>((resolve) => {
        used.site.onRequest(() => {
          asked += 1;
          if (asked === PAGES / 2) {
            process.kill();
            resolve();
          }
        });
      });
      void first.run('crawl-site', job);
      await killed;
      const before = first.told(job);
      const successor = testCrawler({ html: reader, blobs, gateway });
      const after = await successor.run('crawl-site', job);

      expect(before.indexed.length).toBeGreaterThan(PAGES / 5);
      const keys = after.indexed.map(({ documentKey }) => documentKey);
      expect(new Set(keys).size).toBe(PAGES);
      expect(keys).toHaveLength(PAGES);
      expect(after.enumerated).toEqual([expect.objectContaining({ discovered: PAGES, complete: true })]);
      const pages = used.site.requests.filter((path) => path !== '/sitemap.xml');
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
      used.site.onRequest(() => {
        requests += 1;
      });
    });
    const sharing = (
      pacing = memoryPacing(clock.now),
      process = new CrashableProcess(),
      blobs = inMemoryBlobStore(),
      gateway = inMemoryRunGateway(),
    ): TestCrawler =>
      testCrawler({
        ...{ html: reader, clock, settings: { delayMs: DELAY_MS }, gateway, runs: process.gateway(gateway.gateway) },
        blobs: process.blobs(blobs),
        queues: crashableQueues(process, { ...inMemoryQueues(clock.now), pacing }),
      });

    it('is not asked more often than by one', async () => {
      const pacing = memoryPacing(clock.now);
      const crawlers = [sharing(pacing), sharing(pacing), sharing(pacing)];
      const begun = clock.now();
      await Promise.all(crawlers.map((each) => each.run('crawl-site', siteJob({ rootUrl: `${used.site.origin}/` }))));
      // Each asks for robots.txt and for the sitemap, too.
      expect(requests).toBe(3 * (20 + 2));
      expect(clock.now() - begun).toBeGreaterThanOrEqual((requests - 1) * DELAY_MS);
      for (const each of crawlers) await each.close();
    });

    it('is not asked earlier by the one that takes over from another that was killed', async () => {
      const [pacing, blobs, process] = [memoryPacing(clock.now), inMemoryBlobStore(), new CrashableProcess()];
      const gateway = inMemoryRunGateway();
      const killed = sharing(pacing, process, blobs, gateway);
      const begun = clock.now();
      const { promise: death, resolve: died } = Promise.withResolvers<string>();
      used.site.onRequest(() => {
        requests += 1;
        if (requests !== 10) return;
        process.kill();
        died('dead');
      });
      void killed.run('crawl-site', siteJob({ rootUrl: `${used.site.origin}/` }));
      await death;
      const successor = sharing(pacing, new CrashableProcess(), blobs, gateway);
      const told = await successor.run('crawl-site', siteJob({ rootUrl: `${used.site.origin}/` }));
      expect(told.enumerated).toEqual([expect.objectContaining({ discovered: 20, complete: true })]);
      expect(clock.now() - begun).toBeGreaterThanOrEqual((requests - 1) * DELAY_MS);
      await successor.close();
      await killed.close();
    });
  });

  it('is handed back at once when the crawler is closed, and ends elsewhere', async () => {
    tree(PAGES);
    const blobs = inMemoryBlobStore();
    const gateway = inMemoryRunGateway();
    const closed = testCrawler({ html: reader, blobs, gateway });
    let closing: Promise<void> | undefined;
    let asked = 0;
    used.site.onRequest(() => {
      asked += 1;
      if (asked === PAGES / 2) closing = closed.close();
    });
    const told = await closed.run('crawl-site', siteJob({ rootUrl: `${used.site.origin}/` }));
    await closing;
    expect(told.enumerated).toEqual([]);
    expect(told.statuses.filter(({ status }) => status !== 'running')).toEqual([]);
    expect(told.indexed.length).toBeLessThan(PAGES);
    const elsewhere = testCrawler({ html: reader, blobs, gateway });
    const rest = await elsewhere.run('crawl-site', siteJob({ rootUrl: `${used.site.origin}/` }));
    expect(rest.enumerated).toEqual([expect.objectContaining({ discovered: PAGES, complete: true })]);
    expect(rest.indexed).toHaveLength(PAGES);
    await elsewhere.close();
  });
});
