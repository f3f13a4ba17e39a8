import {
  type CrawlPage,
  GiveUp,
  type IndexDocument,
  NO_COUNTERS,
  type RunGateway,
  type SyncJob,
  TryLater,
  normalizeUrl,
  parsePageUrl,
} from '@quarry/contracts';
import type { BlobStore } from '@quarry/blob-store';
import type { JobContext } from '@quarry/queue';
import { createRunReporter, type Reporting, type RunReporter, type RunWatch } from '@quarry/run-reporting';
import { type Visit, createPageProblem, createProblemVisit, type VisitParts } from '../pages/page.js';
import { visitUrlOrKnownRedirect } from '../pages/visit-url.js';
import { HostBusy } from '../politeness/host-rate-limiter.js';
import { buildPageContent, getCacheValidators } from '../sites/look-up-page.js';
import { RetainedPages, removeUnretainedPages } from '../sites/retained-pages.js';
import { createPageRecords, type PageContent, type PageRecord } from '../sites/page-records.js';
import { toJobError } from './job-error.js';

export interface CrawlPageParts {
  readonly blobs: BlobStore;
  readonly gateway: Pick<RunGateway, 'enqueueDocument'>;
  readonly watch: RunWatch;
  readonly reporting: Reporting;
  readonly visits: VisitParts;
}

/**
 * Number of starts after which a job fails if the rate limit of its host still allows no request. It is less than 99,
 * because `computeEventNumbers` gives only 99 starts of a job their own event numbers.
 */
const MAX_STARTS = 90;
/** Maximum number of redirects from the URL of a job. RFC 9110 section 15.4 defines no limit. */
const MAX_REDIRECTS = 5;

/**
 * Fetches one page and enqueues its main content for ingestion. The ingestion worker then ends the run.
 *
 * @throws GiveUp with the code of the page's problem; TryLater if the server requests a delay or the host is busy
 */
export async function crawlPage(parts: CrawlPageParts, job: CrawlPage, run: JobContext): Promise<void> {
  const reporter = createRunReporter(parts.reporting, job, { starts: run.starts, phase: 'fetching-one' });
  reporter.reportStart();
  reporter.reportProgress('fetching', { done: 0, total: 1, unit: 'pages' });
  try {
    await fetchAndRecordPage(parts, job, run, reporter);
  } catch (error) {
    throw error instanceof HostBusy && !run.signal.aborted ? toBusyHostJobError(parts, run, error) : error;
  } finally {
    reporter.cancelDelayedEvents();
  }
}

/** Returns TryLater, which returns the job to its queue until the host is free, or GiveUp after too many starts. */
function toBusyHostJobError({ visits }: CrawlPageParts, { starts }: JobContext, busy: HostBusy): Error {
  if (starts < MAX_STARTS)
    return new TryLater(
      visits.client.scheduleReturn(busy),
      'the job waits until the rate limit of the host allows the next request',
    );
  return new GiveUp(
    'rate_limited',
    'The page could not be read, because the rate limit of its host did not allow the next request in time',
  );
}

async function fetchAndRecordPage(
  parts: CrawlPageParts,
  job: CrawlPage,
  run: JobContext,
  reporter: RunReporter,
): Promise<void> {
  const url = parsePageUrl(job.url);
  if (url === undefined) throw toJobError(createPageProblem('invalid_url', { found: job.url }), run);
  const documentKey = normalizeUrl(url);
  const records = createPageRecords(parts.blobs, job);
  const known = await records.read(documentKey);
  const visit = await visitUrlAndFollowRedirects(parts.visits, { runId: job.runId, startUrl: url }, known, run.signal);
  if (visit.kind === 'problem') throw toJobError(visit.problem, run);

  const content =
    visit.kind === 'page'
      ? await records.writeContent(documentKey, buildContentOfVisit(visit, parts.visits.now()), visit.page.bytes)
      : known?.content;
  if (content === undefined)
    throw new Error(`expected stored content of the unchanged page ${documentKey}, found none`);
  const blobKey = records.getContentKey(documentKey, content);
  await parts.gateway.enqueueDocument(buildIndexJob(job, { documentKey, content, blobKey }));
  await records.write(documentKey, { runId: job.runId, found: 'content', content });
  // Throws if the run has ended or its datasource was deleted. After a deletion, the caller removes the blobs that this
  // run wrote too late. After the end of this run, `removeUnretainedPages` must not remove blobs of a later run.
  await parts.watch.requireWantedRun(job);
  const retained = new RetainedPages();
  // An earlier start of the job may have enqueued other content of the page, which ingestion may still read.
  if (run.starts > 1) retained.retainAllContents(documentKey);
  else retained.retainPage(documentKey, content);
  await removeUnretainedPages({ blobs: parts.blobs, run: job, retained, complete: true, signal: run.signal });
  reporter.reportProgress(
    'fetching',
    { done: 1, total: 1, unit: 'pages' },
    { ...NO_COUNTERS, discovered: 1, fetched: 1 },
  );
}

function buildContentOfVisit(
  visit: Visit & { readonly kind: 'page' },
  now: number,
): ReturnType<typeof buildPageContent> {
  return buildPageContent(visit.page, visit.validators, { confirmedAt: new Date(now).toISOString() });
}

type FinalVisit = Exclude<Visit, { kind: 'redirect' }>;

/** Visits a URL and follows its redirects to the page that a browser would show. */
async function visitUrlAndFollowRedirects(
  parts: VisitParts,
  { runId, startUrl }: { readonly runId: string; readonly startUrl: string },
  known: PageRecord | undefined,
  signal: AbortSignal,
): Promise<FinalVisit> {
  const seen = new Set<string>();
  for (let url = startUrl; seen.size <= MAX_REDIRECTS;) {
    seen.add(url);
    const validators = known?.content?.source === url ? getCacheValidators(known.content, parts.now()) : undefined;
    const visit = await visitUrlOrKnownRedirect(parts, runId, url, { known: validators, signal });
    if (visit.kind !== 'redirect') return visit;
    if (seen.has(visit.to)) return createProblemVisit('redirect_loop', { found: visit.to });
    url = visit.to;
  }
  return createProblemVisit('too_many_redirects', { found: `more than ${MAX_REDIRECTS}` });
}

/** Builds the ingestion job that indexes the content of a crawled page. */
function buildIndexJob(
  job: SyncJob,
  page: {
    readonly documentKey: string;
    readonly content: PageContent;
    readonly blobKey: string;
  },
): IndexDocument {
  const {
    organizationId,
    datastoreId,
    datasourceId,
    datasourceType,
    runId,
    generation,
    customId,
    embedding,
    splitting,
    ocrLanguages,
  } = job;
  const { name, mimeType, source, metadata } = page.content;
  return {
    ...{ organizationId, datastoreId, datasourceId, datasourceType, runId, generation, splitting },
    ...(customId !== undefined && { customId }),
    ...(embedding !== undefined && { embedding }),
    ...(ocrLanguages !== undefined && { ocrLanguages }),
    // `repeat` gives the events of a repeated job higher sequence numbers than those of the job that it repeats.
    ...(job.repeat !== undefined && { repeat: job.repeat }),
    ...{ documentKey: page.documentKey, blobKey: page.blobKey, name, mimeType, source, metadata },
  };
}
