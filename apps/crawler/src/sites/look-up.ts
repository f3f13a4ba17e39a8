import { addressKey } from '../addresses/address-key.js';
import type { PageProblem, Visit } from '../pages/page.js';
import { problemVisit } from '../pages/page-problems.js';
import { visitWithRetries, type RetryParts } from '../pages/visit-with-retries.js';
import type { VisitParts } from '../pages/visit-parts.js';
import { contentOf, validatorsIn } from './content-of.js';
import type { FrontierEntry } from './frontier.js';
import type { PageContent, PageRecord } from './page-record.js';
import type { PageRecords } from './page-records.js';
import { restsOnSitemap } from './rests-on-sitemap.js';

export interface LookUpParts {
  readonly records: PageRecords;
  readonly runId: string;
  readonly visits: VisitParts & RetryParts;
}

/** What an address is found to be in this run. */
export interface Finding {
  readonly record: PageRecord;
  /** The page's content where it is new; absent where it is stored already. */
  readonly bytes: Uint8Array | undefined;
  /** An earlier start of this run has dealt with it. */
  readonly dealtWith: boolean;
  /** Why it gives nothing, where asking later may help. */
  readonly passing: PageProblem | undefined;
}

/**
 * Finds out what is at an address, with as little as it takes: what this run has found out already, what the sitemap says has
 * not changed, what the server says has not changed, and otherwise the page itself. Stores nothing.
 */
export async function lookUp(parts: LookUpParts, entry: FrontierEntry, signal: AbortSignal): Promise<Finding> {
  const { records, runId, visits } = parts;
  const known = await records.read(entry.address);
  if (known?.runId === runId) return { record: known, bytes: undefined, dealtWith: true, passing: undefined };
  const now = visits.now();
  if (known?.content !== undefined && restsOnSitemap(known.content, entry.sitemapModified, now)) {
    return unstored(contentRecord(parts, known.content));
  }
  const visit = await visitSpellings(visits, entry, known?.content, signal);
  if (visit.kind === 'redirect') return unstored(redirectRecord(parts, known, visit.to));
  if (visit.kind === 'problem') return ofProblem(parts, known, visit);
  const seen = { confirmedAt: new Date(now).toISOString(), sitemapModified: entry.sitemapModified };
  if (visit.kind === 'page') {
    const content = contentOf(visit.page, visit.validators, seen);
    if (known?.content?.contentHash !== content.contentHash)
      return { ...unstored(contentRecord(parts, content)), bytes: visit.page.bytes };
    const { generation } = known.content;
    return unstored(contentRecord(parts, { ...content, ...(generation !== undefined && { generation }) }));
  }
  if (known?.content === undefined) throw new Error(`expected ${entry.address} to be known, since it has not changed`);
  return unstored(contentRecord(parts, { ...known.content, ...withoutUndefined(seen) }));
}

const MAX_SPELLINGS = 5;

/** Requests an address. A redirect to another spelling of it, such as one without tracking parameters, leads to the same page. */
async function visitSpellings(
  visits: LookUpParts['visits'],
  { request, address }: FrontierEntry,
  known: PageContent | undefined,
  signal: AbortSignal,
): Promise<Visit> {
  const seen = new Set<string>();
  for (let spelling = request; seen.size < MAX_SPELLINGS;) {
    seen.add(spelling);
    const validators = known?.source === spelling ? validatorsIn(known) : undefined;
    const visit = await visitWithRetries(visits, spelling, { known: validators, signal });
    if (visit.kind !== 'redirect' || addressKey(visit.to) !== address) return visit;
    if (seen.has(visit.to)) return problemVisit('redirect_loop', { found: visit.to });
    spelling = visit.to;
  }
  return problemVisit('too_many_redirects', { found: `more than ${MAX_SPELLINGS}` });
}

function unstored(record: PageRecord): Finding {
  return { record, bytes: undefined, dealtWith: false, passing: undefined };
}

function contentRecord({ runId }: LookUpParts, content: PageContent): PageRecord {
  return { runId, found: 'content', content };
}

function redirectRecord({ runId }: LookUpParts, known: PageRecord | undefined, redirectTo: string): PageRecord {
  return { runId, found: 'redirect', redirectTo, ...kept(known) };
}

function ofProblem(
  { runId }: LookUpParts,
  known: PageRecord | undefined,
  { problem, links }: Visit & { readonly kind: 'problem' },
): Finding {
  const { outcome, code, message } = problem;
  // Where a page that cannot be had led before, it may lead still.
  const leads = outcome === 'failed' && links.length === 0 ? (known?.problem?.links ?? known?.content?.links) : links;
  const recorded = { outcome, code, message, ...(leads !== undefined && { links: leads }) };
  const record: PageRecord = { runId, found: 'problem', problem: recorded, ...kept(known) };
  return { ...unstored(record), passing: problem.passing ? problem : undefined };
}

function kept(known: PageRecord | undefined): Pick<PageRecord, 'content'> {
  return known?.content === undefined ? {} : { content: known.content };
}

function withoutUndefined({
  confirmedAt,
  sitemapModified,
}: {
  confirmedAt: string;
  sitemapModified: string | undefined;
}) {
  return { confirmedAt, ...(sitemapModified !== undefined && { sitemapModified }) };
}
