import type { BlobStore } from '@quarry/blob-store';
import { GiveUp, NO_COUNTERS, TryLater, type CrawlSite, type RunGateway } from '@quarry/contracts';
import type { JobContext } from '@quarry/queue';
import { runDocuments, runReporter, type Reporting, type RunDocuments, type RunWatch } from '@quarry/run-reporting';
import type { PageProblem } from '../pages/page.js';
import type { RetryParts } from '../pages/visit-with-retries.js';
import type { VisitParts } from '../pages/visit-parts.js';
import { crawlBySitemap } from '../sites/crawl-by-sitemap.js';
import { crawlFromRoot } from '../sites/crawl-from-root.js';
import { KeptPages } from '../sites/kept-pages.js';
import { pageRecords } from '../sites/page-records.js';
import { readCheckpoint, type CrawlEnd, type SiteCheckpoint } from '../sites/site-checkpoint.js';
import type { Crawled, SiteParts } from '../sites/site-crawl.js';
import { siteDocuments, type SiteDocuments } from '../sites/site-documents.js';
import { sweepPages } from '../sites/sweep-pages.js';
import { asFailure, asSentence, mayWait } from './run-failure.js';

export interface CrawlSiteParts {
  readonly blobs: BlobStore;
  readonly gateway: RunGateway;
  readonly watch: RunWatch;
  readonly reporting: Reporting;
  readonly visits: VisitParts & RetryParts;
  /** Aborted when the process is to end: a crawl does not wait for that to be forced. */
  readonly closing: AbortSignal;
  /** For jobs that set none. */
  readonly limits: { readonly maxPages: number; readonly maxDepth: number; readonly maxRunMs: number };
}

/** A sitemap is a list that somebody made: it is not cut as a crawl is. */
const MAX_SITEMAP_PAGES = 100_000;

/**
 * Finds the pages of a site and records each as a document of the run. Everything that it has done is durable page by page, so
 * that the process that takes the job over continues from there.
 *
 * @throws GiveUp with the code of what is wrong with the site as a whole; TryLater when its server asks for patience, and when
 * this process is to end; RunNotWanted
 */
export async function crawlSite(parts: CrawlSiteParts, job: CrawlSite, run: JobContext): Promise<void> {
  const { gateway, reporting } = parts;
  const { datasourceId, runId } = job;
  const reporter = runReporter(reporting, job, { starts: run.starts, phase: 'whole' });
  reporter.started();
  try {
    const documents = runDocuments(gateway, job, reporting.now);
    const checkpoint = await openCheckpoint(parts, job, documents);
    const pages = siteDocuments(documents);
    const progressed = (done: number, total: number): void => {
      const counters = { ...NO_COUNTERS, discovered: pages.recorded, fetched: pages.fetched };
      reporter.progressed('fetching', { done, total, unit: 'pages' }, counters);
    };
    const site = siteParts(parts, job, run, { pages, progressed, startedAt: checkpoint.startedAt });
    const end = checkpoint.end ?? (await crawlToItsEnd(parts, site, run));
    if (checkpoint.end === undefined) await documents.record({ checkpoint: { ...checkpoint, end } });
    reporter.stopped();
    await reporting.statuses.enumerated({ datasourceId, runId, at: reporting.now().toISOString(), ...end });
  } finally {
    reporter.stopped();
  }
}

async function openCheckpoint(
  { gateway, reporting }: CrawlSiteParts,
  { datasourceId, runId }: CrawlSite,
  documents: RunDocuments,
): Promise<Pick<SiteCheckpoint, 'startedAt' | 'end'>> {
  const opened = await gateway.openRun({ datasourceId, runId });
  const known = readCheckpoint(opened.checkpoint);
  if (known !== undefined) return known;
  const checkpoint = { startedAt: reporting.now().getTime() };
  await documents.record({ checkpoint });
  return checkpoint;
}

async function crawlToItsEnd(
  { blobs, watch, closing }: CrawlSiteParts,
  site: SiteParts,
  run: JobContext,
): Promise<CrawlEnd> {
  try {
    const { job, kept, signal, pages } = site;
    const crawled = await crawl(site, job);
    if ('problem' in crawled) throw asFailure(crawled.problem, run);
    const { complete, notes } = crawled;
    // A later run must not meet the sweep of this one.
    await watch.requireWanted(job);
    await sweepPages({ blobs, run: job, kept, complete, signal });
    const { recorded: discovered, fetched } = pages;
    return { complete, discovered, fetched, ...(notes.length > 0 && { note: notes.join(' ') }) };
  } catch (error) {
    if (closing.aborted && !run.signal.aborted) throw new TryLater(0, 'the crawler that ran it was closed');
    throw error;
  }
}

async function crawl(site: SiteParts, { sitemap, rootUrl }: CrawlSite): Promise<Crawled> {
  if (sitemap !== undefined) return crawlBySitemap(site, sitemap);
  if (rootUrl !== undefined) return crawlFromRoot(site, rootUrl);
  throw new GiveUp('invalid_config', 'Expected the address of a sitemap or of a site’s root, found neither');
}

function siteParts(
  { blobs, visits, closing, limits }: CrawlSiteParts,
  job: CrawlSite,
  run: JobContext,
  {
    startedAt,
    ...given
  }: Pick<SiteParts, 'progressed'> & { readonly pages: SiteDocuments; readonly startedAt: number },
): SiteParts {
  const maxPages = job.maxPages ?? (job.sitemap === undefined ? limits.maxPages : MAX_SITEMAP_PAGES);
  return {
    ...given,
    job,
    kept: new KeptPages(),
    isTakenOver: run.starts > 1,
    patience: visits,
    limits: { maxPages, maxDepth: job.maxDepth ?? limits.maxDepth },
    lookUps: { records: pageRecords(blobs, job), runId: job.runId, visits },
    signal: AbortSignal.any([run.signal, closing]),
    until: startedAt + limits.maxRunMs,
    onBusy: (problem) => {
      comeBackLater(problem, run);
    },
  };
}

/** What the crawl has found so far is kept: the next start goes on from there. @throws TryLater, unless it came back too often */
function comeBackLater({ retryAfterMs = 0, code, message }: PageProblem, run: JobContext): void {
  if (mayWait(retryAfterMs, run)) throw new TryLater(retryAfterMs, asSentence(message), { code });
}
