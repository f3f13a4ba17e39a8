import { createInMemoryBlobStore } from '@quarry/blob-store/testing';
import { datasourceStatusQueue } from '@quarry/contracts';
import type { JobContext } from '@quarry/queue';
import { createInMemoryQueues, silentLog } from '@quarry/queue/testing';
import { openRunWatch, createStatusEmitter } from '@quarry/run-reporting';
import { createInMemoryRunGateway, type InMemoryRunGateway } from '@quarry/run-reporting/testing';
import { createSafeFetch } from '@quarry/safe-fetch';
import { createLog } from '@quarry/service-kit';
import { expect, it, onTestFinished } from 'vitest';
import { readCrawlSettings } from '../config.js';
import { RedirectMemory } from '../pages/page.js';
import { ParkedCrawls } from '../sites/site-state.js';
import { createPageTools } from '../pages/page-tools.js';
import { systemClock } from '../politeness/clock.js';
import { buildSiteJob } from '../testing/test-crawler.js';
import { useSiteCrawl } from '../testing/use-site-crawl.js';
import { crawlSite, type CrawlSiteParts } from './crawl-site.js';

const PAGES = 60;
/** Number of pages that a crawl looks up concurrently. */
const CONCURRENCY = 8;

const fixture = useSiteCrawl();

/** Creates the dependencies that two starts of the same job share. */
function createParts(): { readonly parts: CrawlSiteParts; readonly runs: InMemoryRunGateway } {
  const limits = {
    ...readCrawlSettings({}),
    delayMs: 0,
    retryDelayMs: 1,
    requestsPerHost: CONCURRENCY,
    allowLoopback: true,
  };
  const { userAgent, allowLoopback } = limits;
  const blobs = createInMemoryBlobStore();
  const queues = createInMemoryQueues();
  const runs = createInMemoryRunGateway();
  runs.addRun(buildSiteJob({}));
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
    ...{ blobs, gateway: runs.gateway, limits, closing: new AbortController().signal, parked: new ParkedCrawls() },
    watch: openRunWatch(runs.gateway, silentLog),
    reporting: { statuses: createStatusEmitter(queues.createProducer(datasourceStatusQueue)), now: () => new Date() },
    visits: {
      ...createPageTools(context, fixture.reader),
      ...{ productToken: limits.productToken, maxPageBytes: limits.maxPageBytes, maxFileBytes: limits.maxFileBytes },
      ...{ now: systemClock.now, redirects: new RedirectMemory(), retryDelayMs: limits.retryDelayMs },
    },
  };
  return { parts, runs };
}

function createJobContext(starts: number, signal: AbortSignal): JobContext {
  return { id: 'job', attempt: 1, lastAttempt: false, starts, signal, log: silentLog };
}

it('a crawl stops when its job loses its lock, and the next start of the job repeats at most the requests that were in progress', async () => {
  fixture.addTree(PAGES);
  const { parts, runs } = createParts();
  const job = buildSiteJob({ rootUrl: `${fixture.site.origin}/` });
  const lock = new AbortController();
  fixture.site.onRequest(() => {
    if (fixture.site.requests.length === PAGES / 2) lock.abort(new Error('another worker took the lock'));
  });
  await expect(crawlSite(parts, job, createJobContext(1, lock.signal))).rejects.toThrow('another worker took the lock');
  const first = selectPages(fixture.site.requests);
  const recorded = runs.getRecordedDocuments(job).toIndex.length;
  expect(first.length).toBeLessThan(PAGES);

  fixture.site.resetCounters();
  await crawlSite(parts, job, createJobContext(2, new AbortController().signal));
  // The site may receive aborted requests of the first start only now, so each page is counted once.
  const second = new Set(selectPages(fixture.site.requests));
  // Pages that the first start has recorded are not requested again.
  expect(second.size).toBe(PAGES - recorded);
  expect(first.filter((path) => second.has(path)).length).toBeLessThanOrEqual(CONCURRENCY);
  expect(runs.getRecordedDocuments(job).toIndex.map(({ documentKey }) => documentKey)).toHaveLength(PAGES);
});

/** Returns those of the requested paths that are pages, as opposed to files such as robots.txt. */
function selectPages(requests: readonly string[]): readonly string[] {
  return requests.filter((path) => path === '/' || path.startsWith('/p/'));
}
