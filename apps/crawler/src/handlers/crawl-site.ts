import { createNoteFields, GiveUp, NO_COUNTERS, TryLater, type CrawlSite, type RunGateway } from '@quarry/contracts';
import {
  type RunDocuments,
  createRunDocuments,
  createRunReporter,
  type Reporting,
  type RunWatch,
} from '@quarry/run-reporting';
import type { BlobStore } from '@quarry/blob-store';
import type { JobContext } from '@quarry/queue';
import { createPageRecords } from '../sites/page-records.js';
import { RetryPostponed, type RetryParts } from '../pages/visit-url.js';
import type { VisitParts } from '../pages/page.js';
import { HostBusy } from '../politeness/host-rate-limiter.js';
import { crawlBySitemap, crawlFromRoot, type CrawlResult, type SiteParts } from '../sites/site-crawl.js';
import { removeUnretainedPages } from '../sites/retained-pages.js';
import { readCheckpoint, type CrawlEnd, type SiteCheckpoint, type ParkedCrawls } from '../sites/site-state.js';
import { toJobError, capitalizeFirstLetter } from './job-error.js';
import { createSiteDocumentRecorder } from './site-document-recorder.js';

export interface CrawlSiteParts {
  readonly blobs: BlobStore;
  readonly gateway: RunGateway;
  readonly watch: RunWatch;
  readonly reporting: Reporting;
  readonly visits: VisitParts & RetryParts;
  /**
   * The states of paused crawls, whose jobs this process has returned to the queue. The next start of a job resumes
   * from its state.
   */
  readonly parked: ParkedCrawls;
  /** Signal that aborts when the process closes. The crawl then stops and returns its job to the queue. */
  readonly closing: AbortSignal;
  /**
   * Default limits of a crawl, in pages and in links from the root, and the maximum duration of a run in milliseconds.
   */
  readonly limits: { readonly maxPages: number; readonly maxDepth: number; readonly maxRunMs: number };
}

/**
 * Maximum number of pages of a crawl by sitemap, unless its job sets another one. It is high, because a sitemap lists
 * only pages that the owner of the site chose.
 */
const MAX_SITEMAP_PAGES = 100_000;
/**
 * Maximum number of failed starts of a crawl without a recorded page or a read sitemap between them. After one more
 * failure, the run fails.
 */
const MAX_FAILURES = 20;

/**
 * Finds the pages of a site and records each one as a document of the run. The gateway stores recorded pages, so that
 * another process can resume the job after them. Stops at the first failed request, or when the rate limit of a host
 * allows no request for some seconds. The job then returns to its queue, and a later start resumes the crawl.
 *
 * @throws GiveUp with a code if the site cannot be crawled; TryLater after a failed request, for a host whose rate
 *   limit is exhausted, or if this process closes; RunNotWanted if the run has ended
 */
export async function crawlSite(parts: CrawlSiteParts, job: CrawlSite, run: JobContext): Promise<void> {
  const { gateway, reporting } = parts;
  const { datasourceId, runId } = job;
  const reporter = createRunReporter(reporting, job, { starts: run.starts, phase: 'whole' });
  reporter.reportStart();
  try {
    const documents = createRunDocuments(gateway, job, reporting.now);
    const { checkpoint, recorded } = await openRunCheckpoint(parts, job, documents);
    const state = parts.parked.unparkState(runId, run.starts);
    const pages = createSiteDocumentRecorder(documents, recorded, state.unrequested);
    const onProgress = (done: number, total: number): void => {
      const counters = { ...NO_COUNTERS, discovered: pages.recordedCount, fetched: pages.fetchedCount };
      reporter.reportProgress('fetching', { done, total, unit: 'pages' }, counters);
    };
    const site = createSiteParts(parts, job, run, { pages, onProgress, state, startedAt: checkpoint.startedAt });
    const end = checkpoint.end ?? (await crawlAndRemoveUnretainedPages(parts, site, { run, checkpoint, documents }));
    if (checkpoint.end === undefined) await documents.recordFoundDocuments({ checkpoint: { ...checkpoint, end } });
    reporter.cancelDelayedEvents();
    await reporting.statuses.emitEnumeration({ datasourceId, runId, at: reporting.now().toISOString(), ...end });
  } finally {
    reporter.cancelDelayedEvents();
  }
}

/**
 * Reads or creates the checkpoint of the run.
 *
 * @returns the checkpoint of the run, and the number of documents that earlier starts recorded
 */
async function openRunCheckpoint(
  { gateway, reporting }: CrawlSiteParts,
  { datasourceId, runId }: CrawlSite,
  documents: RunDocuments,
): Promise<{ readonly checkpoint: SiteCheckpoint; readonly recorded: number }> {
  const opened = await gateway.openRun({ datasourceId, runId });
  const checkpoint = readCheckpoint(opened.checkpoint) ?? { startedAt: reporting.now().getTime() };
  const { documents: recorded } = await documents.recordFoundDocuments({ checkpoint });
  return { checkpoint, recorded };
}

async function crawlAndRemoveUnretainedPages(
  parts: CrawlSiteParts,
  site: SiteParts,
  start: CrawlStart,
): Promise<CrawlEnd> {
  const { blobs, watch, closing } = parts;
  const { run } = start;
  try {
    const { job, state, signal, pages } = site;
    const { retained } = state;
    const crawled = await crawlPages(site, job);
    if ('problem' in crawled) throw toJobError(crawled.problem, run);
    const { complete, notes } = crawled;
    // Throws if the run has ended, so that the following removal affects no blobs of a later run.
    await watch.requireWantedRun(job);
    await removeUnretainedPages({ blobs, run: job, retained, complete, signal });
    const { recordedCount: discovered, fetchedCount: fetched } = pages;
    return { complete, discovered, fetched, ...createNoteFields(notes) };
  } catch (error) {
    if (closing.aborted && !run.signal.aborted)
      throw new TryLater(0, 'the crawler was closed during the crawl, and the crawl returns to its queue');
    const isInterrupted = error instanceof HostBusy || error instanceof RetryPostponed;
    throw isInterrupted && !run.signal.aborted ? await postponeCrawl(parts, site, start, error) : error;
  }
}

/** Holds the job context and the stored progress of one start of a crawl. */
interface CrawlStart {
  readonly run: JobContext;
  readonly checkpoint: SiteCheckpoint;
  readonly documents: RunDocuments;
}

/**
 * Stores the state of a crawl that must wait for its host or for a retry.
 *
 * @returns TryLater, which returns the job to its queue, or GiveUp after the time limit or too many failures
 */
async function postponeCrawl(
  { parked, visits }: CrawlSiteParts,
  { job, state, pages, deadline }: SiteParts,
  { run, checkpoint, documents }: CrawlStart,
  reason: HostBusy | RetryPostponed,
): Promise<Error> {
  if (state.notes === undefined && visits.now() > deadline)
    return new GiveUp('fetch_failed', 'The crawl exceeded its time limit before it found the pages of the site');
  if (reason instanceof HostBusy) {
    parked.parkState(job.runId, run.starts, state);
    return new TryLater(
      visits.client.scheduleReturn(reason),
      'the crawl waits until the rate limit of a host allows the next request',
    );
  }
  const { code, message } = reason.problem;
  const { read = 0, problems = [] } = state.sitemaps?.walk ?? {};
  const progress = pages.recordedCount + read + problems.length;
  // A crawl that another process resumes reads the sitemaps again, so its progress can be smaller than before.
  const { progressAtFailure = -1 } = checkpoint;
  const failures = progress > progressAtFailure ? 1 : (checkpoint.failures ?? 0) + 1;
  if (failures > MAX_FAILURES) return new GiveUp(code, capitalizeFirstLetter(message));
  await documents.recordFoundDocuments({
    checkpoint: { ...checkpoint, failures, progressAtFailure: Math.max(progress, progressAtFailure) },
  });
  parked.parkState(job.runId, run.starts, state);
  return new TryLater(reason.delayMs, capitalizeFirstLetter(message), { code, failures });
}

async function crawlPages(site: SiteParts, { sitemap, rootUrl }: CrawlSite): Promise<CrawlResult> {
  if (sitemap !== undefined) return crawlBySitemap(site, sitemap);
  if (rootUrl !== undefined) return crawlFromRoot(site, rootUrl);
  throw new GiveUp('invalid_config', 'Expected the URL of a sitemap or of the root page, found neither');
}

function createSiteParts(
  { blobs, visits, closing, limits }: CrawlSiteParts,
  job: CrawlSite,
  run: JobContext,
  { startedAt, ...startParts }: Pick<SiteParts, 'onProgress' | 'state' | 'pages'> & { readonly startedAt: number },
): SiteParts {
  const maxPages = job.maxPages ?? (job.sitemap === undefined ? limits.maxPages : MAX_SITEMAP_PAGES);
  return {
    ...startParts,
    job,
    retries: visits,
    limits: { maxPages, maxDepth: job.maxDepth ?? limits.maxDepth },
    lookUps: { records: createPageRecords(blobs, job), runId: job.runId, visits },
    signal: AbortSignal.any([run.signal, closing]),
    deadline: startedAt + limits.maxRunMs,
  };
}
