import { createInMemoryBlobStore } from '@quarry/blob-store/testing';
import { createInMemoryQueues, createMemoryPacing } from '@quarry/queue/testing';
import { CrashableProcess, createInMemoryRunGateway } from '@quarry/run-reporting/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../testing/manual-clock.js';
import { createCrashableQueues } from '../testing/crashable-queues.js';
import { buildSiteJob, startTestCrawler, type TestCrawler } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';

const PAGES = 100;

const fixture = useSiteCrawl();
const { reader, addTree } = fixture;

describe('a crawl by several crawlers', () => {
  describe('a crawl whose process was killed', () => {
    it('if a crawler is killed, a second crawler records each remaining page once, and repeats at most the requests that were in progress', async () => {
      addTree(PAGES);
      const process = new CrashableProcess();
      const blobs = createInMemoryBlobStore();
      const queues = createInMemoryQueues();
      const gateway = createInMemoryRunGateway();
      const job = buildSiteJob({ rootUrl: `${fixture.site.origin}/` });
      const first = startTestCrawler({
        ...{ html: reader, gateway, runs: process.wrapGateway(gateway.gateway) },
        ...{ blobs: process.wrapBlobStore(blobs), queues: createCrashableQueues(process, queues) },
      });
      let requestCount = 0;
      const killed = new Promise<void>((resolve) => {
        fixture.site.onRequest(() => {
          requestCount += 1;
          if (requestCount === PAGES / 2) {
            process.kill();
            resolve();
          }
        });
      });
      void first.run('crawl-site', job);
      await killed;
      const before = first.getOutput(job);
      const successor = startTestCrawler({ html: reader, blobs, gateway });
      const after = await successor.run('crawl-site', job);

      expect(before.indexed.length).toBeGreaterThan(PAGES / 5);
      const keys = after.indexed.map(({ documentKey }) => documentKey);
      expect(new Set(keys).size).toBe(PAGES);
      expect(keys).toHaveLength(PAGES);
      expect(after.enumerated).toEqual([expect.objectContaining({ discovered: PAGES, complete: true })]);
      const pages = fixture.site.requests.filter((path) => path !== '/sitemap.xml');
      expect(pages.length).toBeLessThanOrEqual(PAGES + 2 * 8);
      await successor.close();
      await first.close();
    });
  });

  describe('a rate limit that several crawlers share', () => {
    const DELAY_MS = 1_000;
    const clock = createManualClock();
    let requests: number;
    beforeEach(() => {
      requests = 0;
      addTree(20);
      fixture.site.onRequest(() => {
        requests += 1;
      });
    });
    const createSharingCrawler = (
      pacing = createMemoryPacing(clock.now),
      process = new CrashableProcess(),
      blobs = createInMemoryBlobStore(),
      gateway = createInMemoryRunGateway(),
    ): TestCrawler =>
      startTestCrawler({
        ...{
          html: reader,
          clock,
          settings: { delayMs: DELAY_MS },
          gateway,
          runs: process.wrapGateway(gateway.gateway),
        },
        blobs: process.wrapBlobStore(blobs),
        queues: createCrashableQueues(process, {
          ...createInMemoryQueues(clock.now, (ms) => {
            clock.advance(ms);
          }),
          pacing,
        }),
      });

    it('several crawlers together send requests to a host no faster than a single crawler', async () => {
      const pacing = createMemoryPacing(clock.now);
      const crawlers = [createSharingCrawler(pacing), createSharingCrawler(pacing), createSharingCrawler(pacing)];
      const startedAt = clock.now();
      await Promise.all(
        crawlers.map((each) => each.run('crawl-site', buildSiteJob({ rootUrl: `${fixture.site.origin}/` }))),
      );
      // Each crawler also fetches robots.txt and the sitemap.
      expect(requests).toBe(3 * (20 + 2));
      expect(clock.now() - startedAt).toBeGreaterThanOrEqual((requests - 1) * DELAY_MS);
      for (const each of crawlers) await each.close();
    });

    it('if a crawler is killed, its successor keeps the request delay of the host after the last request of the killed crawler', async () => {
      const [pacing, blobs, process] = [
        createMemoryPacing(clock.now),
        createInMemoryBlobStore(),
        new CrashableProcess(),
      ];
      const gateway = createInMemoryRunGateway();
      const killed = createSharingCrawler(pacing, process, blobs, gateway);
      const startedAt = clock.now();
      const { promise: death, resolve: died } = Promise.withResolvers<string>();
      fixture.site.onRequest(() => {
        requests += 1;
        if (requests !== 10) return;
        process.kill();
        died('killed');
      });
      void killed.run('crawl-site', buildSiteJob({ rootUrl: `${fixture.site.origin}/` }));
      await death;
      const successor = createSharingCrawler(pacing, new CrashableProcess(), blobs, gateway);
      const output = await successor.run('crawl-site', buildSiteJob({ rootUrl: `${fixture.site.origin}/` }));
      expect(output.enumerated).toEqual([expect.objectContaining({ discovered: 20, complete: true })]);
      expect(clock.now() - startedAt).toBeGreaterThanOrEqual((requests - 1) * DELAY_MS);
      await successor.close();
      await killed.close();
    });
  });

  it('a closing crawler returns its crawl to the queue, and another crawler completes the crawl', async () => {
    addTree(PAGES);
    const blobs = createInMemoryBlobStore();
    const gateway = createInMemoryRunGateway();
    const closed = startTestCrawler({ html: reader, blobs, gateway });
    let closing: Promise<void> | undefined;
    let requestCount = 0;
    fixture.site.onRequest(() => {
      requestCount += 1;
      if (requestCount === PAGES / 2) closing = closed.close();
    });
    const output = await closed.run('crawl-site', buildSiteJob({ rootUrl: `${fixture.site.origin}/` }));
    await closing;
    expect(output.enumerated).toEqual([]);
    expect(output.statuses.filter(({ status }) => status !== 'running')).toEqual([]);
    expect(output.indexed.length).toBeLessThan(PAGES);
    const other = startTestCrawler({ html: reader, blobs, gateway });
    const rest = await other.run('crawl-site', buildSiteJob({ rootUrl: `${fixture.site.origin}/` }));
    expect(rest.enumerated).toEqual([expect.objectContaining({ discovered: PAGES, complete: true })]);
    expect(rest.indexed).toHaveLength(PAGES);
    await other.close();
  });
});
