import { isFetchError, type SafeResponse } from '@quarry/safe-fetch';
import { readAddress } from '../addresses/read-address.js';
import type { PageProblem } from '../pages/page.js';
import { problem, problemOfError, problemOfStatus } from '../pages/page-problems.js';
import { waitBeforeRetry, type RetryParts } from '../pages/visit-with-retries.js';
import { readSitemap, type SitemapEntry } from './read-sitemap.js';
import { SitemapUnreadable } from './sitemap-bytes.js';

/** A sitemap that could not be read, or not to its end. */
export interface SitemapProblem {
  readonly address: string;
  readonly problem: PageProblem;
}

export interface SitemapWalk {
  /** Empty when every sitemap was read from its beginning to its end. */
  readonly problems: readonly SitemapProblem[];
  /** How many sitemaps were read. */
  readonly read: number;
}

export interface WalkParts extends RetryParts {
  readonly signal: AbortSignal;
  /** Takes a page. @returns false when no more are wanted */
  onPage(entry: SitemapEntry, sitemap: string): boolean;
}

/** sitemaps.org lets an index hold 50,000 and no further index; a site of 100,000 pages needs far fewer. */
const MAX_SITEMAPS = 1_000;
const MAX_DEPTH = 3;
const MAX_REDIRECTS = 5;
const TOO_MANY = `there are more sitemaps than are read: at most ${MAX_SITEMAPS}, named by ${MAX_DEPTH} above each other`;

type Step =
  | { readonly kind: 'read'; readonly wantsMore: boolean; readonly problem: PageProblem | undefined }
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'problem'; readonly problem: PageProblem };

/** Reads sitemaps, and those that they name. */
export async function walkSitemaps(parts: WalkParts, starts: readonly string[]): Promise<SitemapWalk> {
  const known = new Set(starts);
  const waiting = [...known].map((address) => ({ address, depth: 0 }));
  const problems: SitemapProblem[] = [];
  let read = 0;
  let unread: string | undefined;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { address, depth } = next;
    const onEntry = (entry: SitemapEntry): boolean => {
      if (entry.kind === 'page') return parts.onPage(entry, address);
      if (known.has(entry.address)) return true;
      if (depth >= MAX_DEPTH || known.size >= MAX_SITEMAPS) unread ??= entry.address;
      else {
        known.add(entry.address);
        waiting.push({ address: entry.address, depth: depth + 1 });
      }
      return true;
    };
    const step = await readOne(parts, address, onEntry);
    if (step.problem !== undefined) problems.push({ address, problem: step.problem });
    if (step.kind === 'read') read += 1;
    if (step.kind === 'read' && !step.wantsMore) break;
  }
  // Pages that it may list are not known to be gone.
  if (unread !== undefined) problems.push({ address: unread, problem: unreadable(TOO_MANY) });
  return { problems, read };
}

/** Goes where a sitemap was moved to, and asks again while it is only out of sorts. */
async function readOne(
  parts: WalkParts,
  start: string,
  onEntry: (entry: SitemapEntry) => boolean,
): Promise<Exclude<Step, { kind: 'redirect' }> & { readonly problem: PageProblem | undefined }> {
  let address = start;
  for (let redirects = 0, tries = 1; redirects <= MAX_REDIRECTS;) {
    const step = await ask(parts, address, onEntry);
    if (step.kind === 'read') return step;
    if (step.kind === 'redirect') {
      address = step.to;
      redirects += 1;
    } else if (await waitBeforeRetry(parts, address, step.problem, { tries, signal: parts.signal })) tries += 1;
    else return step;
  }
  return { kind: 'problem', problem: problem('too_many_redirects', { found: `more than ${MAX_REDIRECTS}` }) };
}

async function ask(parts: WalkParts, address: string, onEntry: (entry: SitemapEntry) => boolean): Promise<Step> {
  const use = (response: SafeResponse): Promise<Step> => stepOf(response, address, onEntry);
  const reply = await parts.client.ask(address, { signal: parts.signal }, use);
  if (reply.kind === 'answer') {
    const step = reply.value;
    if (step.kind !== 'problem' || reply.retryAfterMs === undefined) return step;
    return { ...step, problem: { ...step.problem, retryAfterMs: reply.retryAfterMs } };
  }
  if (reply.kind === 'error') return { kind: 'problem', problem: problemOfError(reply.error) };
  if (reply.kind === 'disallowed') return { kind: 'problem', problem: problem('robots_disallowed') };
  return {
    kind: 'problem',
    problem: problem('robots_unreachable', {
      found: reply.message,
      passing: true,
      retryAfterMs: reply.retryAfterMs,
    }),
  };
}

async function stepOf(
  response: SafeResponse,
  address: string,
  onEntry: (entry: SitemapEntry) => boolean,
): Promise<Step> {
  const { status, headers } = response;
  if (status >= 200 && status < 300) return readEntries(response, address, onEntry);
  await response.discard();
  const to = status >= 300 && status < 400 ? readAddress(headers.get('location') ?? '', address) : undefined;
  if (to !== undefined && to !== address) return { kind: 'redirect', to };
  return { kind: 'problem', problem: problemOfStatus(status, undefined) };
}

async function readEntries(
  response: SafeResponse,
  address: string,
  onEntry: (entry: SitemapEntry) => boolean,
): Promise<Step> {
  try {
    const entries = readSitemap(response.body as AsyncIterable<Uint8Array>, address); // a response's body gives buffers
    for (let next = await entries.next(); ; next = await entries.next()) {
      if (next.done === true)
        return {
          kind: 'read',
          wantsMore: true,
          problem: next.value === undefined ? undefined : unreadable(next.value),
        };
      if (!onEntry(next.value)) break;
    }
    response.body.destroy();
    return { kind: 'read', wantsMore: false, problem: undefined };
  } catch (error) {
    response.body.destroy();
    if (error instanceof SitemapUnreadable) return { kind: 'problem', problem: unreadable(error.message) };
    // What was read before the connection broke would be read again: that changes nothing, and may bring the rest.
    if (isFetchError(error)) return { kind: 'problem', problem: problemOfError(error) };
    throw error;
  }
}

function unreadable(found: string): PageProblem {
  return { outcome: 'failed', code: 'sitemap_unreadable', message: found, passing: false };
}
