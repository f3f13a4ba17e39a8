import { NO_COUNTERS, type CrawlPage, type IngestionJobs } from '@quarry/contracts';
import type { BlobStore } from '@quarry/blob-store';
import type { JobContext, Producer } from '@quarry/queue';
import { runReporter, type Reporting, type RunReporter } from '@quarry/run-reporting';
import { addressKey } from '../addresses/address-key.js';
import { readAddress } from '../addresses/read-address.js';
import type { Visit } from '../pages/page.js';
import { problem, problemVisit } from '../pages/page-problems.js';
import { visitAddress } from '../pages/visit-address.js';
import type { VisitParts } from '../pages/visit-parts.js';
import { contentOf, validatorsIn } from '../sites/content-of.js';
import type { PageRecord } from '../sites/page-record.js';
import { KeptPages } from '../sites/kept-pages.js';
import { sweepPages } from '../sites/sweep-pages.js';
import { pageRecords } from '../sites/page-records.js';
import { indexPage } from './index-page.js';
import { asFailure } from './run-failure.js';

export interface CrawlPageParts {
  readonly blobs: BlobStore;
  readonly ingestion: Producer<IngestionJobs>;
  readonly reporting: Reporting;
  readonly visits: VisitParts;
}

/** As many as safe clients follow (RFC 9110 section 15.4 leaves it open). */
const MAX_REDIRECTS = 5;

/**
 * Fetches one page and hands its main content to ingestion, which tells how the run ends.
 *
 * @throws GiveUp with the code of what is wrong with the page; TryLater when its server asks for patience
 */
export async function crawlPage(parts: CrawlPageParts, job: CrawlPage, run: JobContext): Promise<void> {
  const reporter = runReporter(parts.reporting, job, { starts: run.starts, phase: 'fetching-one' });
  reporter.started();
  reporter.progressed('fetching', { done: 0, total: 1, unit: 'pages' });
  try {
    await fetchPage(parts, job, run, reporter);
  } finally {
    reporter.stopped();
  }
}

async function fetchPage(parts: CrawlPageParts, job: CrawlPage, run: JobContext, reporter: RunReporter): Promise<void> {
  const address = readAddress(job.url);
  if (address === undefined) throw asFailure(problem('invalid_url', { found: job.url }), run);
  const documentKey = addressKey(address);
  const records = pageRecords(parts.blobs, job);
  const known = await records.read(documentKey);
  const visit = await follow(parts.visits, address, known, run.signal);
  if (visit.kind === 'problem') throw asFailure(visit.problem, run);

  const content =
    visit.kind === 'page'
      ? await records.writeContent(documentKey, visitedContent(visit, parts.visits.now()), visit.page.bytes)
      : known?.content;
  if (content === undefined) throw new Error(`expected the page ${documentKey} to be known, since it has not changed`);
  const blobKey = records.contentKey(documentKey, content);
  await parts.ingestion.add('index-document', indexPage(job, { documentKey, content, blobKey }));
  await records.write(documentKey, { runId: job.runId, found: 'content', content });
  const kept = new KeptPages();
  // An earlier start may have handed on another content than this one has found.
  if (run.starts > 1) kept.keepEvery(documentKey);
  else kept.keep(documentKey, content);
  await sweepPages({ blobs: parts.blobs, run: job, kept, complete: true, signal: run.signal });
  reporter.progressed('fetching', { done: 1, total: 1, unit: 'pages' }, { ...NO_COUNTERS, discovered: 1, fetched: 1 });
}

function visitedContent(visit: Visit & { readonly kind: 'page' }, now: number): ReturnType<typeof contentOf> {
  return contentOf(visit.page, visit.validators, { confirmedAt: new Date(now).toISOString() });
}

type Arrival = Exclude<Visit, { kind: 'redirect' }>;

/** Goes where the page sends its readers: whoever names one page means what is shown there. */
async function follow(
  parts: VisitParts,
  first: string,
  known: PageRecord | undefined,
  signal: AbortSignal,
): Promise<Arrival> {
  const seen = new Set<string>();
  for (let address = first; seen.size <= MAX_REDIRECTS;) {
    seen.add(address);
    const validators = known?.content?.source === address ? validatorsIn(known.content) : undefined;
    const visit = await visitAddress(parts, address, { known: validators, signal });
    if (visit.kind !== 'redirect') return visit;
    if (seen.has(visit.to)) return problemVisit('redirect_loop', { found: visit.to });
    address = visit.to;
  }
  return problemVisit('too_many_redirects', { found: `more than ${MAX_REDIRECTS}` });
}
