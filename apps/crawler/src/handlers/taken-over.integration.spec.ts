import { inMemoryBlobStore } from '@quarry/blob-store/testing';
import { datasourceStatusQueue } from '@quarry/contracts';
import type { JobContext } from '@quarry/queue';
import { inMemoryQueues, silentLog } from '@quarry/queue/testing';
import { openRunWatch, openStatuses } from '@quarry/run-reporting';
import { inMemoryRunGateway, type InMemoryRunGateway } from '@quarry/run-reporting/testing';
import { createSafeFetch } from '@quarry/safe-fetch';
import { createLog } from '@quarry/service-kit';
import { expect, it, onTestFinished } from 'vitest';
import { readCrawlSettings } from '../config.js';
import { pageTools } from '../pages/page-tools.js';
import { systemClock } from '../politeness/clock.js';
import { siteJob } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';
import { crawlSite, type CrawlSiteParts } from './crawl-site.js';

const PAGES = 60;
/** Pages that a crawl looks up at the same time. */
const WIDTH = 8;

const used = useSiteCrawl();

/** What two crawlers of one run share. */
function crawlerParts(): { readonly parts: CrawlSiteParts; readonly runs: InMemoryRunGateway } {
  const limits = { ...readCrawlSettings({}), delayMs: 0, retryDelayMs: 1, requestsPerHost: WIDTH, allowLoopback: true };
  const { userAgent, allowLoopback } = limits;
  const blobs = inMemoryBlobStore();
  const queues = inMemoryQueues();
  const runs = inMemoryRunGateway();
  runs.addRun(siteJob({}));
  const safeFetch = createSafeFetch({ userAgent, allowLoopback });
  onTestFinished(() => safeFetch.close());
  const context = {
    ...{
      settings: limits,
      log: createLog('crawler', 'silent'),
      queues,
      blobs,
      clock: systemClock,
      gateway: runs.gateway,
    },
    safeFetch,
  };
  const parts = {
    ...{ blobs, gateway: runs.gateway, limits, closing: new AbortController().signal },
    watch: openRunWatch(runs.gateway, silentLog),
    reporting: { statuses: openStatuses(queues.producer(datasourceStatusQueue)), now: () => new Date() },
    visits: {
      ...pageTools(context, used.reader),
      ...{ productToken: limits.productToken, maxPageBytes: limits.maxPageBytes, maxFileBytes: limits.maxFileBytes },
      ...{ now: systemClock.now, clock: systemClock, retryDelayMs: limits.retryDelayMs },
    },
  };
  return { parts, runs };
}

function start(starts: number, signal: AbortSignal): JobContext {
  return { id: 'job', attempt: 1, lastAttempt: false, starts, signal, log: silentLog };
}

it('ends a crawl that lost its lock, and the next start requests again only what was on its way', async () => {
  used.tree(PAGES);
  const { parts, runs } = crawlerParts();
  const job = siteJob({ rootUrl: `${used.site.origin}/` });
  const lock = new AbortController();
  used.site.onRequest(() => {
    if (used.site.requests.length === PAGES / 2) lock.abort(new Error('taken over elsewhere'));
  });
  await expect(crawlSite(parts, job, start(1, lock.signal))).rejects.toThrow('taken over elsewhere');
  const first = pagesIn(used.site.requests);
  const recorded = runs.recorded(job).toIndex.length;
  expect(first.length).toBeLessThan(PAGES);

  used.site.forget();
  await crawlSite(parts, job, start(2, new AbortController().signal));
  const second = pagesIn(used.site.requests);
  // What the first start had recorded is not requested again.
  expect(second).toHaveLength(PAGES - recorded);
  expect(second.filter((path) => first.includes(path)).length).toBeLessThanOrEqual(WIDTH);
  expect(runs.recorded(job).toIndex.map(({ documentKey }) => documentKey)).toHaveLength(PAGES);
});

/** Leaves out sitemaps. */
function pagesIn(requests: readonly string[]): readonly string[] {
  return requests.filter((path) => path === '/' || path.startsWith('/p/'));
}
