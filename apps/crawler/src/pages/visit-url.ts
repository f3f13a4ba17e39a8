import type { SafeResponse } from '@quarry/safe-fetch';
import { parsePageUrl } from '../urls/normalize-url.js';
import { BodyTooLarge, type PoliteClient, type PoliteResult, readLimitedBody } from '../politeness/polite-client.js';
import type { Clock } from '../politeness/clock.js';
import { classifyContent } from './classify-content.js';
import type { PageProblem, Validators, Visit } from './page.js';
import { createProblemVisit, toFetchProblem, toStatusProblem } from './page-problems.js';
import { readFile } from './read-file.js';
import { readPage } from './read-page.js';
import { type PageResponse, type VisitParts } from './visit-parts.js';

const ACCEPT = 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.8,*/*;q=0.5';

/**
 * Requests a URL once, and reads the page or file of the response.
 *
 * @param options.known validators of the last visit, for a conditional request
 * @throws the signal's reason
 */
export async function visitUrl(
  parts: VisitParts,
  url: string,
  options: { readonly known?: Validators | undefined; readonly signal: AbortSignal },
): Promise<Visit> {
  const request = { headers: { accept: ACCEPT, ...buildConditionalHeaders(options.known) }, signal: options.signal };
  try {
    const result = await parts.client.fetch(url, request, (response) => readPageResponse(parts, url, response));
    if (result.kind !== 'response') return toProblemVisit(result);
    return await toVisit(parts, result.value, result.retryAfterMs, options.signal);
  } catch (error) {
    if (error instanceof BodyTooLarge) return createProblemVisit('too_large', { found: error.message });
    throw error;
  }
}

function buildConditionalHeaders({ etag, lastModified }: Validators = {}): Record<string, string> {
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  };
}

function toProblemVisit(result: Exclude<PoliteResult<PageResponse>, { kind: 'response' }>): Visit {
  if (result.kind === 'disallowed') return createProblemVisit('robots_disallowed');
  if (result.kind === 'error') return { kind: 'problem', problem: toFetchProblem(result.error), links: [] };
  return createProblemVisit('robots_unreachable', {
    found: result.message,
    transient: true,
    retryAfterMs: result.retryAfterMs,
  });
}

async function readPageResponse(parts: VisitParts, url: string, response: SafeResponse): Promise<PageResponse> {
  const { status, headers } = response;
  const content = classifyContent(headers.get('content-type'), url);
  const hasContent = isSuccess(status) && content.kind !== 'unsupported';
  if (!hasContent) await response.discard();
  const maxBytes = content.kind === 'page' ? parts.maxPageBytes : parts.maxFileBytes;
  const bytes = hasContent ? await readLimitedBody(response, maxBytes) : new Uint8Array();
  return { url, status, headers, bytes };
}

async function toVisit(
  parts: VisitParts,
  response: PageResponse,
  retryAfterMs: number | undefined,
  signal: AbortSignal,
): Promise<Visit> {
  const { url, status, headers } = response;
  if (status === 304) return { kind: 'unchanged' };
  if (status >= 300 && status < 400) return toRedirectVisit(url, status, headers.get('location'));
  if (!isSuccess(status)) return { kind: 'problem', problem: toStatusProblem(status, retryAfterMs), links: [] };
  const content = classifyContent(headers.get('content-type'), url);
  if (content.kind === 'unsupported') return createProblemVisit('unsupported_type', { found: content.mimeType });
  return content.kind === 'page' ? readPage(parts, response, signal) : readFile(parts, response, content.mimeType);
}

function toRedirectVisit(url: string, status: number, location: string | undefined): Visit {
  const to = location === undefined ? undefined : parsePageUrl(location, url);
  if (to !== undefined) return to === url ? createProblemVisit('redirect_loop') : { kind: 'redirect', to };
  return createProblemVisit('fetch_failed', {
    found: `expected the URL of a page in the redirect ${status}, found none`,
  });
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Holds the dependencies for retrying requests. */
export interface RetryParts {
  readonly client: PoliteClient;
  readonly clock: Clock;
  /** Delay before the second attempt. Each further delay is four times as long. */
  readonly retryDelayMs: number;
}

const MAX_ATTEMPTS = 3;
/** Maximum delay that a job waits for. For a longer delay, the job returns to its queue. */
export const MAX_RETRY_WAIT_MS = 60_000;

/**
 * Waits before a request is repeated. An overloaded server pauses all requests to its host; another transient failure delays this
 * request only.
 *
 * @param attempts number of attempts so far
 * @returns false, without a wait, if the failure is permanent, no attempts are left, or the delay is too long
 */
export async function waitBeforeRetry(
  { client, clock, retryDelayMs }: RetryParts,
  url: string,
  problem: PageProblem,
  { attempts, signal }: { readonly attempts: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const waitMs = problem.retryAfterMs ?? retryDelayMs * 4 ** (attempts - 1);
  if (!problem.transient || attempts >= MAX_ATTEMPTS || waitMs > MAX_RETRY_WAIT_MS) return false;
  if (problem.retryAfterMs !== undefined || problem.code === 'rate_limited')
    await client.pauseHost(url, waitMs, signal);
  else await clock.wait(waitMs, signal);
  return true;
}

/** Visits a URL, and retries transient failures twice. @throws the signal's reason */
export async function visitWithRetries(
  parts: VisitParts & RetryParts,
  url: string,
  options: Parameters<typeof visitUrl>[2],
): Promise<Visit> {
  for (let attempts = 1; ; attempts += 1) {
    const visit = await visitUrl(parts, url, options);
    const isSuccess = visit.kind !== 'problem';
    if (isSuccess || !(await waitBeforeRetry(parts, url, visit.problem, { attempts, signal: options.signal })))
      return visit;
  }
}
