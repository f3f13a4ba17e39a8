import { parsePageUrl } from '@quarry/contracts';
import { decodeLocationAsUtf8, isFetchError, type SafeResponse } from '@quarry/safe-fetch';
import {
  type PageProblem,
  createPageProblem,
  createFetchProblem,
  createHttpStatusProblem,
  createRobotsProblem,
} from '../pages/page.js';
import { RetryPostponed, planRequestRetry, type RetryParts } from '../pages/visit-url.js';
import { MAX_WAIT_IN_PLACE_MS } from '../politeness/polite-client.js';
import { readSitemap, type SitemapEntry } from './read-sitemap.js';
import { MAX_SITEMAP_BYTES, SitemapUnreadable } from './decode-sitemap.js';

/** Describes a sitemap that could not be read completely. */
export interface SitemapProblem {
  readonly url: string;
  readonly problem: PageProblem;
}

export interface SitemapWalk {
  /** The sitemaps that were not read completely, with the reason for each. */
  readonly problems: readonly SitemapProblem[];
  /** Number of sitemaps that were read, including those with malformed parts. */
  readonly read: number;
}

/** Describes a sitemap that has not been read yet. */
interface WaitingSitemap {
  readonly url: string;
  readonly depth: number;
  /** The URL to request next: the sitemap, or the target of its last redirect. */
  requestUrl: string;
  redirects: number;
  attempts: number;
}

/** Holds the state of a walk over sitemaps, from which an interrupted walk resumes. */
export class WalkState implements SitemapWalk {
  readonly known: Set<string>;
  readonly waiting: WaitingSitemap[] = [];
  readonly problems: SitemapProblem[] = [];
  read = 0;
  /** URL of the first sitemap that was skipped because of `MAX_SITEMAPS` or `MAX_DEPTH`; undefined if there is none. */
  unread: string | undefined;

  constructor(startUrls: readonly string[]) {
    this.known = new Set(startUrls);
    for (const url of this.known) this.addWaitingSitemap(url, 0);
  }

  addWaitingSitemap(url: string, depth: number): void {
    this.waiting.push({ url, depth, requestUrl: url, redirects: 0, attempts: 1 });
  }
}

export interface WalkParts extends RetryParts {
  readonly signal: AbortSignal;
  /**
   * Handles each page that a sitemap lists. Returns false to stop reading all sitemaps.
   *
   * @param sitemap the URL of the sitemap
   */
  onPage(entry: SitemapEntry, sitemap: string): boolean;
}

/**
 * Maximum number of sitemaps that are read per site. sitemaps.org allows an index of 50,000 sitemaps, but even a site
 * of 100,000 pages needs far fewer.
 */
const MAX_SITEMAPS = 1_000;
const MAX_DEPTH = 3;
/** Limits of the request for a sitemap, which can be larger than a page. */
const SITEMAP_LIMITS = { totalMs: 3 * 60_000, wireBytes: MAX_SITEMAP_BYTES, bodyBytes: MAX_SITEMAP_BYTES };
const MAX_REDIRECTS = 5;
const LIMIT_EXCEEDED = `expected at most ${MAX_SITEMAPS} sitemaps and ${MAX_DEPTH} levels of indexes, found more`;

type Step =
  | { readonly kind: 'read'; readonly wantsMore: boolean; readonly problem: PageProblem | undefined }
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'problem'; readonly problem: PageProblem };

/**
 * Reads sitemaps and, recursively, the sitemaps that they list. If it throws, a later call with the same `walk` resumes
 * with the sitemap that was not read.
 *
 * @throws HostBusy, RetryPostponed, the signal's reason
 */
export async function walkSitemaps(parts: WalkParts, walk: WalkState): Promise<void> {
  for (let next = walk.waiting[0]; next !== undefined; next = walk.waiting[0]) {
    const step = await readSitemapCompletely(parts, next, (entry) => recordSitemapEntry(parts, walk, entry));
    walk.waiting.shift();
    if (step.problem !== undefined) walk.problems.push({ url: next.url, problem: step.problem });
    if (step.kind === 'read') walk.read += 1;
    if (step.kind === 'read' && !step.wantsMore) walk.waiting.length = 0;
  }
  // Without this problem, the pages of unread sitemaps would count as removed.
  if (walk.unread !== undefined) {
    walk.problems.push({ url: walk.unread, problem: createUnreadableSitemapProblem(LIMIT_EXCEEDED) });
    walk.unread = undefined;
  }
}

/** Passes a page to `onPage`, or adds a sitemap to the sitemaps to read. @returns false to stop reading all sitemaps */
function recordSitemapEntry(parts: WalkParts, walk: WalkState, entry: SitemapEntry): boolean {
  const { url = '', depth = 0 } = walk.waiting[0] ?? {};
  if (entry.kind === 'page') return parts.onPage(entry, url);
  if (walk.known.has(entry.url)) return true;
  if (depth >= MAX_DEPTH || walk.known.size >= MAX_SITEMAPS) walk.unread ??= entry.url;
  else {
    walk.known.add(entry.url);
    walk.addWaitingSitemap(entry.url, depth + 1);
  }
  return true;
}

/** Fetches and reads one sitemap, and follows its redirects. @throws RetryPostponed if a retry may succeed */
async function readSitemapCompletely(
  parts: WalkParts,
  sitemap: WaitingSitemap,
  onEntry: (entry: SitemapEntry) => boolean,
): Promise<Exclude<Step, { kind: 'redirect' }> & { readonly problem: PageProblem | undefined }> {
  while (sitemap.redirects <= MAX_REDIRECTS) {
    const { requestUrl, attempts } = sitemap;
    const step = await fetchSitemap(parts, requestUrl, onEntry);
    if (step.kind === 'read') return step;
    if (step.kind === 'problem') {
      const delayMs = await planRequestRetry(parts, requestUrl, step.problem, { attempts, signal: parts.signal });
      if (delayMs === undefined) return step;
      sitemap.attempts += 1;
      throw new RetryPostponed(step.problem, delayMs);
    }
    sitemap.requestUrl = step.to;
    sitemap.redirects += 1;
  }
  return { kind: 'problem', problem: createPageProblem('too_many_redirects', { found: `more than ${MAX_REDIRECTS}` }) };
}

async function fetchSitemap(parts: WalkParts, url: string, onEntry: (entry: SitemapEntry) => boolean): Promise<Step> {
  const readEntriesOf = (response: SafeResponse): Promise<Step> => readSitemapResponse(response, url, onEntry);
  const result = await parts.client.fetch(
    url,
    { signal: parts.signal, maxWaitMs: MAX_WAIT_IN_PLACE_MS, limits: SITEMAP_LIMITS },
    readEntriesOf,
  );
  if (result.kind === 'response') {
    const step = result.value;
    if (step.kind !== 'problem' || result.retryAfterMs === undefined) return step;
    return { ...step, problem: { ...step.problem, retryAfterMs: result.retryAfterMs } };
  }
  if (result.kind === 'error') return { kind: 'problem', problem: createFetchProblem(result.error) };
  if (result.kind === 'disallowed') return { kind: 'problem', problem: createPageProblem('robots_disallowed') };
  return { kind: 'problem', problem: createRobotsProblem(result) };
}

async function readSitemapResponse(
  response: SafeResponse,
  url: string,
  onEntry: (entry: SitemapEntry) => boolean,
): Promise<Step> {
  const { status, headers } = response;
  if (status >= 200 && status < 300) return readEntriesOfResponse(response, url, onEntry);
  await response.discard();
  const to =
    status >= 300 && status < 400 ? parsePageUrl(decodeLocationAsUtf8(headers.get('location') ?? ''), url) : undefined;
  if (to !== undefined && to !== url) return { kind: 'redirect', to };
  return { kind: 'problem', problem: createHttpStatusProblem(status, undefined) };
}

async function readEntriesOfResponse(
  response: SafeResponse,
  url: string,
  onEntry: (entry: SitemapEntry) => boolean,
): Promise<Step> {
  try {
    const entries = readSitemap(response.body as AsyncIterable<Uint8Array>, url); // the body of a response yields buffers
    for (let next = await entries.next(); ; next = await entries.next()) {
      if (next.done === true)
        return {
          kind: 'read',
          wantsMore: true,
          problem: next.value === undefined ? undefined : createUnreadableSitemapProblem(next.value),
        };
      if (!onEntry(next.value)) break;
    }
    response.body.destroy();
    return { kind: 'read', wantsMore: false, problem: undefined };
  } catch (error) {
    response.body.destroy();
    if (error instanceof SitemapUnreadable)
      return { kind: 'problem', problem: createUnreadableSitemapProblem(error.message) };
    // A retry reads the first entries again, which has no effect, and may read the remaining entries.
    if (isFetchError(error)) return { kind: 'problem', problem: createFetchProblem(error) };
    throw error;
  }
}

function createUnreadableSitemapProblem(found: string): PageProblem {
  return { outcome: 'failed', code: 'sitemap_unreadable', message: found, transient: false };
}
