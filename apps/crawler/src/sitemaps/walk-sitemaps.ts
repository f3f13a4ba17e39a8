import { isFetchError, type SafeResponse } from '@quarry/safe-fetch';
import { parsePageUrl } from '../urls/normalize-url.js';
import type { PageProblem } from '../pages/page.js';
import { createProblem, toFetchProblem, toStatusProblem } from '../pages/page-problems.js';
import { waitBeforeRetry, type RetryParts } from '../pages/visit-url.js';
import { readSitemap, type SitemapEntry } from './read-sitemap.js';
import { SitemapUnreadable } from './decode-sitemap.js';

/** Describes a sitemap that could not be read completely. */
export interface SitemapProblem {
  readonly url: string;
  readonly problem: PageProblem;
}

export interface SitemapWalk {
  /** Empty if all sitemaps were read completely. */
  readonly problems: readonly SitemapProblem[];
  /** Number of sitemaps that were read. */
  readonly read: number;
}

export interface WalkParts extends RetryParts {
  readonly signal: AbortSignal;
  /** Receives each page that a sitemap lists. Returns false to stop reading. */
  onPage(entry: SitemapEntry, sitemap: string): boolean;
}

/** Maximum number of sitemaps. sitemaps.org allows an index of 50,000, but even a site of 100,000 pages needs far fewer. */
const MAX_SITEMAPS = 1_000;
const MAX_DEPTH = 3;
const MAX_REDIRECTS = 5;
const LIMIT_EXCEEDED = `expected at most ${MAX_SITEMAPS} sitemaps and ${MAX_DEPTH} levels of indexes, found more`;

type Step =
  | { readonly kind: 'read'; readonly wantsMore: boolean; readonly problem: PageProblem | undefined }
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'problem'; readonly problem: PageProblem };

/** Reads sitemaps and, recursively, the sitemaps that they list. */
export async function walkSitemaps(parts: WalkParts, startUrls: readonly string[]): Promise<SitemapWalk> {
  const known = new Set(startUrls);
  const waiting = [...known].map((url) => ({ url, depth: 0 }));
  const problems: SitemapProblem[] = [];
  let read = 0;
  let unread: string | undefined;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { url, depth } = next;
    const onEntry = (entry: SitemapEntry): boolean => {
      if (entry.kind === 'page') return parts.onPage(entry, url);
      if (known.has(entry.url)) return true;
      if (depth >= MAX_DEPTH || known.size >= MAX_SITEMAPS) unread ??= entry.url;
      else {
        known.add(entry.url);
        waiting.push({ url: entry.url, depth: depth + 1 });
      }
      return true;
    };
    const step = await readWithRetries(parts, url, onEntry);
    if (step.problem !== undefined) problems.push({ url, problem: step.problem });
    if (step.kind === 'read') read += 1;
    if (step.kind === 'read' && !step.wantsMore) break;
  }
  // Without this problem, the pages of unread sitemaps would count as removed.
  if (unread !== undefined) problems.push({ url: unread, problem: createUnreadableProblem(LIMIT_EXCEEDED) });
  return { problems, read };
}

/** Fetches and reads one sitemap. Follows redirects and retries transient failures. */
async function readWithRetries(
  parts: WalkParts,
  startUrl: string,
  onEntry: (entry: SitemapEntry) => boolean,
): Promise<Exclude<Step, { kind: 'redirect' }> & { readonly problem: PageProblem | undefined }> {
  let url = startUrl;
  for (let redirects = 0, attempts = 1; redirects <= MAX_REDIRECTS;) {
    const step = await fetchSitemap(parts, url, onEntry);
    if (step.kind === 'read') return step;
    if (step.kind === 'redirect') {
      url = step.to;
      redirects += 1;
    } else if (await waitBeforeRetry(parts, url, step.problem, { attempts, signal: parts.signal })) attempts += 1;
    else return step;
  }
  return { kind: 'problem', problem: createProblem('too_many_redirects', { found: `more than ${MAX_REDIRECTS}` }) };
}

async function fetchSitemap(parts: WalkParts, url: string, onEntry: (entry: SitemapEntry) => boolean): Promise<Step> {
  const read = (response: SafeResponse): Promise<Step> => readResponse(response, url, onEntry);
  const result = await parts.client.fetch(url, { signal: parts.signal }, read);
  if (result.kind === 'response') {
    const step = result.value;
    if (step.kind !== 'problem' || result.retryAfterMs === undefined) return step;
    return { ...step, problem: { ...step.problem, retryAfterMs: result.retryAfterMs } };
  }
  if (result.kind === 'error') return { kind: 'problem', problem: toFetchProblem(result.error) };
  if (result.kind === 'disallowed') return { kind: 'problem', problem: createProblem('robots_disallowed') };
  return {
    kind: 'problem',
    problem: createProblem('robots_unreachable', {
      found: result.message,
      transient: true,
      retryAfterMs: result.retryAfterMs,
    }),
  };
}

async function readResponse(
  response: SafeResponse,
  url: string,
  onEntry: (entry: SitemapEntry) => boolean,
): Promise<Step> {
  const { status, headers } = response;
  if (status >= 200 && status < 300) return readEntries(response, url, onEntry);
  await response.discard();
  const to = status >= 300 && status < 400 ? parsePageUrl(headers.get('location') ?? '', url) : undefined;
  if (to !== undefined && to !== url) return { kind: 'redirect', to };
  return { kind: 'problem', problem: toStatusProblem(status, undefined) };
}

async function readEntries(
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
          problem: next.value === undefined ? undefined : createUnreadableProblem(next.value),
        };
      if (!onEntry(next.value)) break;
    }
    response.body.destroy();
    return { kind: 'read', wantsMore: false, problem: undefined };
  } catch (error) {
    response.body.destroy();
    if (error instanceof SitemapUnreadable) return { kind: 'problem', problem: createUnreadableProblem(error.message) };
    // A retry reads the first entries again, which has no effect, and may read the remaining entries.
    if (isFetchError(error)) return { kind: 'problem', problem: toFetchProblem(error) };
    throw error;
  }
}

function createUnreadableProblem(found: string): PageProblem {
  return { outcome: 'failed', code: 'sitemap_unreadable', message: found, transient: false };
}
