import { normalizeUrl } from '@quarry/contracts';
import {
  type Page,
  type PageProblem,
  type Validators,
  type Visit,
  createProblemVisit,
  type VisitParts,
} from '../pages/page.js';
import { EXTRACTION_VERSION } from '../pages/read-page.js';
import { type RetryParts, visitUrlOrKnownRedirect } from '../pages/visit-url.js';
import type { FrontierEntry } from './frontier.js';
import type { PageContent, PageRecord, PageRecords } from './page-records.js';

export interface LookUpParts {
  readonly records: PageRecords;
  readonly runId: string;
  readonly visits: VisitParts & RetryParts;
}

/** Holds the current state of a page, which `lookUpPage` determines. */
export interface LookUpResult {
  readonly record: PageRecord;
  /** The content of the page, if it is new or differs from the stored content; otherwise undefined. */
  readonly bytes: Uint8Array | undefined;
  /** True if an earlier start of this run has already settled the page and written its record. */
  readonly alreadySettled: boolean;
  /** The problem of the page if a later request may succeed, otherwise undefined. */
  readonly transientProblem: PageProblem | undefined;
}

/**
 * Determines the current state of a page by the first of these sources that suffices: the record of an earlier start of
 * the run, the date in the sitemap, a conditional request, the whole page. Stores nothing.
 *
 * @throws HostBusy; the signal's reason
 */
export async function lookUpPage(parts: LookUpParts, entry: FrontierEntry, signal: AbortSignal): Promise<LookUpResult> {
  const { records, runId, visits } = parts;
  const known = await records.read(entry.documentKey);
  if (known?.runId === runId)
    return { record: known, bytes: undefined, alreadySettled: true, transientProblem: undefined };
  const now = visits.now();
  // An unchanged date in the sitemap confirms the stored content, but not a problem or a redirect that the latest run
  // has found instead of content.
  if (
    known?.found === 'content' &&
    known.content !== undefined &&
    isUnchangedBySitemap(known.content, entry.sitemapModified, now)
  ) {
    return createLookUpResult(createPageContentRecord(parts, known.content));
  }
  const visit = await visitUrlAndItsSpellings(parts, entry, known?.content, signal);
  if (visit.kind === 'redirect') return createLookUpResult(createRedirectRecord(parts, known, visit.to));
  if (visit.kind === 'problem') return createProblemResult(parts, known, visit);
  const confirmation = { confirmedAt: new Date(now).toISOString(), sitemapModified: entry.sitemapModified };
  if (visit.kind === 'page') {
    const content = buildPageContent(visit.page, visit.validators, confirmation);
    if (known?.content?.contentHash !== content.contentHash)
      return { ...createLookUpResult(createPageContentRecord(parts, content)), bytes: visit.page.bytes };
    const { generation } = known.content;
    return createLookUpResult(
      createPageContentRecord(parts, { ...content, ...(generation !== undefined && { generation }) }),
    );
  }
  if (known?.content === undefined)
    throw new Error(`expected stored content of the unchanged page ${entry.documentKey}, found none`);
  return createLookUpResult(
    createPageContentRecord(parts, { ...known.content, ...omitUndefinedSitemapDate(confirmation) }),
  );
}

const MAX_SPELLINGS = 5;

/** Visits a page. Follows redirects to other spellings of its URL, such as one without tracking parameters. */
async function visitUrlAndItsSpellings(
  { visits, runId }: LookUpParts,
  { requestUrl, documentKey }: FrontierEntry,
  known: PageContent | undefined,
  signal: AbortSignal,
): Promise<Visit> {
  const visited = new Set<string>();
  for (let spelling = requestUrl; visited.size < MAX_SPELLINGS;) {
    visited.add(spelling);
    const validators = known?.source === spelling ? getCacheValidators(known, visits.now()) : undefined;
    const visit = await visitUrlOrKnownRedirect(visits, runId, spelling, { known: validators, signal });
    if (visit.kind !== 'redirect' || normalizeUrl(visit.to) !== documentKey) return visit;
    if (visited.has(visit.to)) return createProblemVisit('redirect_loop', { found: visit.to });
    spelling = visit.to;
  }
  return createProblemVisit('too_many_redirects', { found: `more than ${MAX_SPELLINGS}` });
}

function createLookUpResult(record: PageRecord): LookUpResult {
  return { record, bytes: undefined, alreadySettled: false, transientProblem: undefined };
}

function createPageContentRecord({ runId }: LookUpParts, content: PageContent): PageRecord {
  return { runId, found: 'content', content };
}

function createRedirectRecord({ runId }: LookUpParts, known: PageRecord | undefined, redirectTo: string): PageRecord {
  return { runId, found: 'redirect', redirectTo, ...copyKnownContent(known) };
}

function createProblemResult(
  { runId }: LookUpParts,
  known: PageRecord | undefined,
  { problem, links }: Visit & { readonly kind: 'problem' },
): LookUpResult {
  const { outcome, code, message } = problem;
  // A page that cannot be fetched may still have its earlier links.
  const knownLinks =
    outcome === 'failed' && links.length === 0 ? (known?.problem?.links ?? known?.content?.links) : links;
  const recordedProblem = { outcome, code, message, ...(knownLinks !== undefined && { links: knownLinks }) };
  const record: PageRecord = { runId, found: 'problem', problem: recordedProblem, ...copyKnownContent(known) };
  return { ...createLookUpResult(record), transientProblem: problem.transient ? problem : undefined };
}

function copyKnownContent(known: PageRecord | undefined): Pick<PageRecord, 'content'> {
  return known?.content === undefined ? {} : { content: known.content };
}

function omitUndefinedSitemapDate({
  confirmedAt,
  sitemapModified,
}: {
  confirmedAt: string;
  sitemapModified: string | undefined;
}) {
  return { confirmedAt, ...(sitemapModified !== undefined && { sitemapModified }) };
}

/** Builds the part of a page record that describes the fetched content. */
export function buildPageContent(
  page: Page,
  validators: Validators,
  { confirmedAt, sitemapModified }: { readonly confirmedAt: string; readonly sitemapModified?: string | undefined },
): PageContent {
  const { source, name, mimeType, metadata, contentHash, canonical, unavailableAfter, links } = page;
  return {
    ...{ source, name, mimeType, metadata, contentHash, links, confirmedAt, extractionVersion: EXTRACTION_VERSION },
    ...validators,
    ...(canonical !== undefined && { canonical }),
    ...(unavailableAfter !== undefined && { unavailableAfter }),
    ...(sitemapModified !== undefined && { sitemapModified }),
  };
}

/**
 * Returns the ETag and modification date of stored content, for a conditional request. Returns undefined for content
 * that a 304 response must not confirm.
 */
export function getCacheValidators(content: PageContent | undefined, now: number): Validators | undefined {
  if (content === undefined || isOutdated(content, now)) return undefined;
  const { etag, lastModified } = content;
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}

/**
 * Returns whether a page must be fetched even if the site has not changed it: another version of the code extracted its
 * content, or its `unavailable_after` date has passed. A 304 response would not contain the directive.
 */
function isOutdated({ extractionVersion, unavailableAfter }: PageContent, now: number): boolean {
  const isPastDate = unavailableAfter !== undefined && Date.parse(unavailableAfter) < now;
  return isPastDate || extractionVersion !== EXTRACTION_VERSION;
}

const DAY_MS = 24 * 60 * 60_000;
/** Time by which a day can end later than in UTC: the offset of the time zone UTC−12, in milliseconds. */
const MAX_ZONE_OFFSET_MS = 12 * 60 * 60_000;
/**
 * Time after which a page is fetched even if its modification date in the sitemap is unchanged, because the date can be
 * wrong.
 */
const MAX_TRUST_MS = 7 * DAY_MS;

/**
 * Returns whether the modification date in the sitemap proves that a page is unchanged. Returns false if the page has
 * an `ETag` or `Last-Modified`: a conditional request is cheap, and many sitemaps are outdated. Also returns false for
 * content that is outdated itself.
 */
export function isUnchangedBySitemap(content: PageContent, modified: string | undefined, now: number): boolean {
  if (content.etag !== undefined || content.lastModified !== undefined) return false;
  if (modified === undefined || modified !== content.sitemapModified || isOutdated(content, now)) return false;
  const confirmed = Date.parse(content.confirmedAt);
  // A page can change again on the day of its modification date, whose time zone is unknown.
  const changed = Date.parse(modified) + (modified.includes('T') ? 0 : DAY_MS + MAX_ZONE_OFFSET_MS);
  return changed <= confirmed && now - confirmed < MAX_TRUST_MS;
}
