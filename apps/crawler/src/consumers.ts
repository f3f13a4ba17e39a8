import { getDatasourceFolder } from '@quarry/blob-store';
import { crawlQueue, datasourceStatusQueue, type CrawlJobs, type SyncJob } from '@quarry/contracts';
import type { Consumer, Handlers, JobContext } from '@quarry/queue';
import { openRunWatch, createStatusEmitter, createJobEndHooks, type Reporting } from '@quarry/run-reporting';
import type { CrawlerContext } from './context.js';
import { crawlPage } from './handlers/crawl-page.js';
import { crawlSite } from './handlers/crawl-site.js';
import type { PageTools } from './pages/page-tools.js';
import { ParkedCrawls } from './sites/site-state.js';
import type { RetryParts } from './pages/visit-url.js';
import { RedirectMemory, type VisitParts } from './pages/page.js';

/**
 * Starts a consumer of the crawl queue, which runs the jobs `crawl-page` and `crawl-site`.
 *
 * @param closing aborts when the crawler closes; active jobs that crawl a site then return to the queue
 */
export function startConsumers(context: CrawlerContext, tools: PageTools, closing: AbortSignal): Consumer {
  const { queues, clock, settings } = context;
  const reporting = {
    statuses: createStatusEmitter(queues.createProducer(datasourceStatusQueue)),
    now: () => new Date(clock.now()),
  };
  return queues.startConsumer(crawlQueue, createCrawlHandlers({ ...context, tools, reporting, closing }), {
    concurrency: settings.concurrency,
    ...createJobEndHooks<SyncJob>(reporting, (name) => (name === 'crawl-page' ? 'fetching-one' : 'whole')),
  });
}

export interface CrawlHandlerParts extends Omit<CrawlerContext, 'safeFetch'> {
  readonly tools: PageTools;
  readonly reporting: Reporting;
  /** Signal that aborts when the crawler closes. */
  readonly closing: AbortSignal;
}

/**
 * Creates the handlers of the jobs in the crawl queue. A handler stops when the run of its job is cancelled or
 * superseded, or its datasource is deleted.
 */
export function createCrawlHandlers({ tools, reporting, closing, ...context }: CrawlHandlerParts): Handlers<CrawlJobs> {
  const { blobs, clock, gateway, log, settings } = context;
  const visits: VisitParts & RetryParts = {
    ...tools,
    productToken: settings.productToken,
    maxPageBytes: settings.maxPageBytes,
    maxFileBytes: settings.maxFileBytes,
    now: clock.now,
    redirects: new RedirectMemory(),
    retryDelayMs: settings.retryDelayMs,
  };
  const watch = openRunWatch(gateway, log);
  const parts = {
    blobs,
    gateway,
    watch,
    reporting,
    visits,
    closing,
    limits: settings,
    parked: new ParkedCrawls(),
  };
  const crawlWhileWanted = async (job: SyncJob, run: JobContext, crawl: (run: JobContext) => Promise<void>) => {
    const state = await watch.runWhileWanted(job, run.signal, (signal) => crawl({ ...run, signal }));
    // The ingestion worker may have removed the blobs of the datasource before this run wrote its last blob.
    if (state === 'removed') await blobs.removeAll(getDatasourceFolder(job));
  };
  return {
    'crawl-page': (job, run) => crawlWhileWanted(job, run, (watched) => crawlPage(parts, job, watched)),
    'crawl-site': (job, run) => crawlWhileWanted(job, run, (watched) => crawlSite(parts, job, watched)),
  };
}
