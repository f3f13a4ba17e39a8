import { leaveNothingBehind } from '@quarry/blob-store';
import { crawlQueue, datasourceStatusQueue, ingestionQueue, type CrawlJobs } from '@quarry/contracts';
import type { Consumer, Handlers } from '@quarry/queue-bullmq';
import type { CrawlerContext } from './context.js';
import { crawlPage } from './handlers/crawl-page.js';
import { crawlSite } from './handlers/crawl-site.js';
import { settleFailedRun } from './handlers/settle-failed-run.js';
import { untilCancelled } from './handlers/stop-if-cancelled.js';
import type { PageTools } from './pages/page-tools.js';
import type { Patience } from './pages/patience.js';
import type { VisitParts } from './pages/visit-address.js';

/** Starts to take crawl jobs. @param closing aborted when the crawler is to end: crawls that take long are handed back */
export function startConsumers(context: CrawlerContext, tools: PageTools, closing: AbortSignal): Consumer {
  const { queues, clock, settings } = context;
  const status = queues.producer(datasourceStatusQueue);
  return queues.consumer(crawlQueue, crawlHandlers(context, tools, closing), {
    concurrency: settings.concurrency,
    onFailed: (failure, job) => settleFailedRun({ status, now: clock.now }, failure, job),
  });
}

function crawlHandlers(context: CrawlerContext, tools: PageTools, closing: AbortSignal): Handlers<CrawlJobs> {
  const { queues, blobs, clock, settings } = context;
  const visits: VisitParts & Patience = {
    ...tools,
    productToken: settings.productToken,
    maxPageBytes: settings.maxPageBytes,
    maxFileBytes: settings.maxFileBytes,
    now: clock.now,
    clock,
    retryDelayMs: settings.retryDelayMs,
  };
  const ingestion = queues.producer(ingestionQueue);
  const status = queues.producer(datasourceStatusQueue);
  const parts = { blobs, ingestion, status, visits, closing, limits: settings };
  return {
    'crawl-page': (job, run) =>
      leaveNothingBehind(blobs, job, () => untilCancelled(blobs, job, run, (wanted) => crawlPage(parts, job, wanted))),
    'crawl-site': (job, run) =>
      leaveNothingBehind(blobs, job, () => untilCancelled(blobs, job, run, (wanted) => crawlSite(parts, job, wanted))),
  };
}
