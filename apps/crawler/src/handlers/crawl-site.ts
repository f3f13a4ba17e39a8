import type { BlobStore } from '@quarry/blob-store';
import { GiveUp, NO_COUNTERS, TryLater, type CrawlSite, type RunGateway } from '@quarry/contracts';
import type { JobContext } from '@quarry/queue';
import {
  createRunDocuments,
  createRunReporter,
  type Reporting,
  type RunDocuments,
  type RunWatch,
} from '@quarry/run-reporting';
import type { PageProblem } from '../pages/page.js';
import type { RetryParts } from '../pages/visit-url.js';
import type { VisitParts } from '../pages/visit-parts.js';
import { crawlBySitemap } from '../sites/crawl-by-sitemap.js';
import { crawlFromRoot } from '../sites/crawl-from-root.js';
import { RetainedPages, sweepPages } from '../sites/retained-pages.js';
import { createPageRecords } from '../sites/page-records.js';
import { readCheckpoint, type CrawlEnd, type SiteCheckpoint } from '../sites/site-checkpoint.js';
import type { CrawlResult, SiteParts } from '../sites/site-crawl.js';
import { createSiteDocuments, type SiteDocuments } from '../sites/site-documents.js';
import { toJobError, capitalize, mayWaitInQueue } from './job-error.js';

export interface CrawlSiteParts {
  readonly blobs: BlobStore;
  readonly gateway: RunGateway;
  readonly watch: RunWatch;
  readonly reporting: Reporting;
  readonly visits: VisitParts & RetryParts;
  /** Fires when the process closes. The crawl then stops and returns its job to the queue. */
  readonly closing: AbortSignal;
  /** Default limits, and the maximum duration of a run. */
  readonly limits: { readonly maxPages: number; readonly maxDepth: number; readonly maxRunMs: number };
}

/** Default page limit of a crawl by sitemap. It is high, because the owner of the site chose the pages. */
const MAX_SITEMAP_PAGES = 100_000;

/**
 * Finds the pages of a site and records each one as a document of the run. Each page is durable once it is recorded, so another
 * process can resume the job after it.
 *
 * @throws GiveUp with a code if the site cannot be crawled; TryLater if its server requests a delay or this process closes;
 * RunNotWanted
 */
export async function crawlSite(parts: CrawlSiteParts, job: CrawlSite, run: JobContext): Promise<void> {
  const { gateway, reporting } = parts;
  const { datasourceId, runId } = job;
  const reporter = createRunReporter(reporting, job, { starts: run.starts, phase: 'whole' });
  reporter.started();
  try {
    const documents = createRunDocuments(gateway, job, reporting.now);
    const { checkpoint, recorded } = await openCheckpoint(parts, job, documents);
    const pages = createSiteDocuments(documents, recorded);
    const onProgress = (done: number, total: number): void => {
      const counters = { ...NO_COUNTERS, discovered: pages.recorded, fetched: pages.fetched };
      reporter.progressed('fetching', { done, total, unit: 'pages' }, counters);
    };
    const site = buildSiteParts(parts, job, run, { pages, onProgress, startedAt: checkpoint.startedAt });
    const end = checkpoint.end ?? (await completeCrawl(parts, site, run));
    if (checkpoint.end === undefined) await documents.record({ checkpoint: { ...checkpoint, end } });
    reporter.stopped();
    await reporting.statuses.enumerated({ datasourceId, runId, at: reporting.now().toISOString(), ...end });
  } finally {
    reporter.stopped();
  }
}

/** Returns the checkpoint of the run, and the number of documents that its earlier starts recorded. */
async function openCheckpoint(
  { gateway, reporting }: CrawlSiteParts,
  { datasourceId, runId }: CrawlSite,
  documents: RunDocuments,
): Promise<{ readonly checkpoint: SiteCheckpoint; readonly recorded: number }> {
  const opened = await gateway.openRun({ datasourceId, runId });
  const checkpoint = readCheckpoint(opened.checkpoint) ?? { startedAt: reporting.now().getTime() };
  const { documents: recorded } = await documents.record({ checkpoint });
  return { checkpoint, recorded };
}

async function completeCrawl(
  { blobs, watch, closing }: CrawlSiteParts,
  site: SiteParts,
  run: JobContext,
): Promise<CrawlEnd> {
  try {
    const { job, retained, signal, pages } = site;
    const crawled = await crawl(site, job);
    if ('problem' in crawled) throw toJobError(crawled.problem, run);
    const { complete, notes } = crawled;
    // The sweep must not remove blobs of a later run.
    await watch.requireWanted(job);
    await sweepPages({ blobs, run: job, retained, complete, signal });
    const { recorded: discovered, fetched } = pages;
    return { complete, discovered, fetched, ...(notes.length > 0 && { note: notes.join(' ') }) };
  } catch (error) {
    if (closing.aborted && !run.signal.aborted) throw new TryLater(0, 'the crawler was closed during the crawl');
    throw error;
  }
}

async function crawl(site: SiteParts, { sitemap, rootUrl }: CrawlSite): Promise<CrawlResult> {
  if (sitemap !== undefined) return crawlBySitemap(site, sitemap);
  if (rootUrl !== undefined) return crawlFromRoot(site, rootUrl);
  throw new GiveUp('invalid_config', 'Expected the URL of a sitemap or of the root page, found neither');
}

function buildSiteParts(
  { blobs, visits, closing, limits }: CrawlSiteParts,
  job: CrawlSite,
  run: JobContext,
  {
    startedAt,
    ...state
  }: Pick<SiteParts, 'onProgress'> & { readonly pages: SiteDocuments; readonly startedAt: number },
): SiteParts {
  const maxPages = job.maxPages ?? (job.sitemap === undefined ? limits.maxPages : MAX_SITEMAP_PAGES);
  return {
    ...state,
    job,
    retained: new RetainedPages(),
    isRestart: run.starts > 1,
    retries: visits,
    limits: { maxPages, maxDepth: job.maxDepth ?? limits.maxDepth },
    lookUps: { records: createPageRecords(blobs, job), runId: job.runId, visits },
    signal: AbortSignal.any([run.signal, closing]),
    deadline: startedAt + limits.maxRunMs,
    onBusy: (problem) => {
      postponeJob(problem, run);
    },
  };
}

/** Returns the job to the queue for the delay that the server requests. Does nothing after too many starts. @throws TryLater */
function postponeJob({ retryAfterMs = 0, code, message }: PageProblem, run: JobContext): void {
  if (mayWaitInQueue(retryAfterMs, run)) throw new TryLater(retryAfterMs, capitalize(message), { code });
}
