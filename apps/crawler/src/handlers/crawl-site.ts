import type { BlobStore } from '@quarry/blob-store';
import { GiveUp, TryLater, type CrawlSite, type DatasourceStatusJobs, type IngestionJobs } from '@quarry/contracts';
import type { JobContext, Producer } from '@quarry/queue-bullmq';
import type { PageProblem } from '../pages/page.js';
import type { Patience } from '../pages/patience.js';
import type { VisitParts } from '../pages/visit-address.js';
import { crawlBySitemap } from '../sites/crawl-by-sitemap.js';
import { crawlFromRoot } from '../sites/crawl-from-root.js';
import { KeptPages } from '../sites/kept-pages.js';
import { pageRecords } from '../sites/page-records.js';
import { beginRun, endRun, type RunEnd } from '../sites/run-record.js';
import { sweepPages } from '../sites/sweep-pages.js';
import type { Crawled, SiteParts } from '../sites/site-crawl.js';
import { siteProgress } from '../sites/site-progress.js';
import { siteTellings } from '../sites/site-tellings.js';
import { SITE_EVENTS } from './event-numbers.js';
import { runEvents, type RunEvents } from './run-events.js';
import { stopIfCancelled } from './stop-if-cancelled.js';
import { asFailure, mayWait } from './run-failure.js';

export interface CrawlSiteParts {
  readonly blobs: BlobStore;
  readonly ingestion: Producer<IngestionJobs>;
  readonly status: Producer<DatasourceStatusJobs>;
  readonly visits: VisitParts & Patience;
  /** Aborted when the process is to end: a crawl does not wait for that to be forced. */
  readonly closing: AbortSignal;
  /** For jobs that set none. */
  readonly limits: { readonly maxPages: number; readonly maxDepth: number; readonly maxRunMs: number };
}

/** A sitemap is a list that somebody made: it is not cut as a crawl is. */
const MAX_SITEMAP_PAGES = 100_000;

/**
 * Finds the pages of a site and hands each to ingestion; tells of those that are not indexed, and at the end how many there
 * are. What it has done is written down page by page, so that whoever takes the job over goes on from there.
 *
 * @throws GiveUp with the code of what is wrong with the site as a whole; TryLater when its server asks for patience, and when
 * this process is to end
 */
export async function crawlSite(parts: CrawlSiteParts, job: CrawlSite, run: JobContext): Promise<void> {
  const { blobs, status, visits, closing } = parts;
  const events = runEvents(status, job, { starts: run.starts, ...SITE_EVENTS }, visits.now);
  await events.running();
  await stopIfCancelled(blobs, job);
  const begun = await beginRun(blobs, job, visits.now());
  const site = siteParts(parts, job, run, { events, startedAt: begun.startedAt });
  const end =
    begun.end ??
    (await crawlToItsEnd(blobs, site, run).catch((error: unknown) => {
      if (closing.aborted && !run.signal.aborted) throw new TryLater(0, 'the crawler that ran it was closed');
      throw error;
    }));
  if (begun.end === undefined) await endRun(blobs, job, begun, end);
  await stopIfCancelled(blobs, job);
  const { datasourceId, runId } = job;
  await status.add('run-enumerated', { datasourceId, runId, at: new Date(visits.now()).toISOString(), ...end });
}

async function crawlToItsEnd(blobs: BlobStore, site: SiteParts, run: JobContext): Promise<RunEnd> {
  const { job, kept, signal, tellings } = site;
  const crawled = await crawl(site, job);
  if ('problem' in crawled) throw asFailure(crawled.problem, run);
  await stopIfCancelled(blobs, job);
  const { complete, notes, discovered, fetched } = crawled;
  await sweepPages({ blobs, run: job, kept, complete, signal });
  const { documents } = tellings;
  return { documents, complete, discovered, fetched, ...(notes.length > 0 && { note: notes.join(' ') }) };
}

async function crawl(site: SiteParts, { sitemap, rootUrl }: CrawlSite): Promise<Crawled> {
  if (sitemap !== undefined) return crawlBySitemap(site, sitemap);
  if (rootUrl !== undefined) return crawlFromRoot(site, rootUrl);
  throw new GiveUp('invalid_config', 'Expected the address of a sitemap or of a site’s root, found neither');
}

function siteParts(
  parts: CrawlSiteParts,
  job: CrawlSite,
  run: JobContext,
  { events, startedAt }: { readonly events: RunEvents; readonly startedAt: number },
): SiteParts {
  const { blobs, ingestion, status, visits, closing, limits } = parts;
  const maxPages = job.maxPages ?? (job.sitemap === undefined ? limits.maxPages : MAX_SITEMAP_PAGES);
  return {
    job,
    kept: new KeptPages(),
    isTakenOver: run.starts > 1,
    patience: visits,
    tellings: siteTellings({ job, ingestion, status, now: visits.now }),
    limits: { maxPages, maxDepth: job.maxDepth ?? limits.maxDepth },
    lookUps: { records: pageRecords(blobs, job), runId: job.runId, visits },
    signal: AbortSignal.any([run.signal, closing]),
    until: startedAt + limits.maxRunMs,
    progressed: siteProgress(events, visits.now),
    onBusy: (problem) => {
      comeBackLater(problem, run);
    },
  };
}

/** What the crawl has found so far is kept: the next start goes on from there. @throws TryLater, unless it came back too often */
function comeBackLater({ retryAfterMs = 0, message }: PageProblem, run: JobContext): void {
  if (mayWait(retryAfterMs, run)) throw new TryLater(retryAfterMs, message);
}
