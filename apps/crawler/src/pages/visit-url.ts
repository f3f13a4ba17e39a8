import { parsePageUrl } from '@quarry/contracts';
import { decodeLocationAsUtf8, type SafeResponse } from '@quarry/safe-fetch';
import { findTypeOfMediaType, findTypeOfName, MEDIA_TYPES } from '@quarry/file-types';
import { parseContentType } from '@quarry/http-responses';
import { getFileNameOfUrl } from '../urls/page-url.js';
import {
  BodyTooLarge,
  MAX_WAIT_IN_PLACE_MS,
  type PoliteClient,
  type PoliteResult,
  readBodyUpToLimit,
} from '../politeness/polite-client.js';
import {
  type PageProblem,
  type Validators,
  type Visit,
  createProblemVisit,
  createFetchProblem,
  createHttpStatusProblem,
  createRobotsProblem,
  type PageResponse,
  type VisitParts,
} from './page.js';
import { createNoindexVisit, readFileVisit, readPageVisit } from './read-page.js';

const ACCEPT = 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.8,*/*;q=0.5';

/**
 * Requests a URL once, and reads the page or file of the response.
 *
 * @param options.known ETag and modification date of the last response for this URL, for a conditional request
 * @throws HostBusy; the signal's reason
 */
export async function visitUrl(
  parts: VisitParts,
  url: string,
  options: { readonly known?: Validators | undefined; readonly signal: AbortSignal },
): Promise<Visit> {
  const headers = { accept: ACCEPT, ...buildConditionalHeaders(options.known) };
  const request = { headers, signal: options.signal, maxWaitMs: MAX_WAIT_IN_PLACE_MS };
  try {
    const result = await parts.client.fetch(url, request, (response) => readPageResponse(parts, url, response));
    if (result.kind !== 'response') return toProblemVisit(result);
    if (result.value.status === 304) return readUnchangedVisit(parts, result.value, options.known);
    return await readVisitOfResponse(parts, result.value, result.retryAfterMs, options.signal);
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
  if (result.kind === 'error') return { kind: 'problem', problem: createFetchProblem(result.error), links: [] };
  return { kind: 'problem', problem: createRobotsProblem(result), links: [] };
}

async function readPageResponse(parts: VisitParts, url: string, response: SafeResponse): Promise<PageResponse> {
  const { status, headers } = response;
  const content = classifyContent(headers.get('content-type'), url);
  const hasContent = isSuccessStatus(status) && content.kind !== 'unsupported';
  if (!hasContent) await response.discard();
  const maxBytes = content.kind === 'page' ? parts.maxPageBytes : parts.maxFileBytes;
  const bytes = hasContent ? await readBodyUpToLimit(response, maxBytes) : new Uint8Array();
  return { url, status, headers, bytes };
}

async function readVisitOfResponse(
  parts: VisitParts,
  response: PageResponse,
  retryAfterMs: number | undefined,
  signal: AbortSignal,
): Promise<Visit> {
  const { url, status, headers } = response;
  if (status >= 300 && status < 400) return toRedirectVisit(url, status, headers.get('location'));
  if (!isSuccessStatus(status))
    return { kind: 'problem', problem: createHttpStatusProblem(status, retryAfterMs), links: [] };
  const content = classifyContent(headers.get('content-type'), url);
  if (content.kind === 'unsupported') return createProblemVisit('unsupported_type', { found: content.mimeType });
  return content.kind === 'page'
    ? readPageVisit(parts, response, signal)
    : readFileVisit(parts, response, content.mimeType);
}

/**
 * Reads a 304 response. Its headers replace the stored ones (RFC 9111 section 4.3.4), so an `X-Robots-Tag` applies. A
 * 304 response to a request without validators, which some caches send, is a problem.
 */
function readUnchangedVisit(parts: VisitParts, { headers }: PageResponse, known: Validators | undefined): Visit {
  if (Object.keys(buildConditionalHeaders(known)).length === 0)
    return createProblemVisit('fetch_failed', {
      found: 'expected the page, found the status 304, which is a response to conditional requests only',
    });
  return createNoindexVisit(parts, headers) ?? { kind: 'unchanged' };
}

function toRedirectVisit(url: string, status: number, location: string | undefined): Visit {
  const to = location === undefined ? undefined : parsePageUrl(decodeLocationAsUtf8(location), url);
  if (to !== undefined) return to === url ? createProblemVisit('redirect_loop') : { kind: 'redirect', to };
  return createProblemVisit('fetch_failed', {
    found: `expected the URL of a page in the redirect with the status ${status}, found none`,
  });
}

function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * Visits a URL once. If an earlier start of the run has found a redirect at the URL, returns that redirect without a
 * request.
 *
 * @throws the same errors as `visitUrl`
 */
export async function visitUrlOrKnownRedirect(
  parts: VisitParts,
  runId: string,
  url: string,
  options: Parameters<typeof visitUrl>[2],
): Promise<Visit> {
  const known = parts.redirects.find(runId, url);
  if (known !== undefined) return { kind: 'redirect', to: known };
  const visit = await visitUrl(parts, url, options);
  if (visit.kind === 'redirect') parts.redirects.add(runId, url, visit.to);
  return visit;
}

/** Holds the dependencies for retrying requests. */
export interface RetryParts {
  readonly client: PoliteClient;
  /** Delay before the second attempt, in milliseconds. Each further delay is four times the previous one. */
  readonly retryDelayMs: number;
}

const MAX_ATTEMPTS = 3;
/** Maximum delay before a retry, in milliseconds. A failure whose server requests a longer delay is not retried. */
export const MAX_RETRY_WAIT_MS = 60 * 60_000;

/**
 * Plans the retry of a failed request. If the response is 429 or contains `Retry-After`, also delays all other requests
 * to the host.
 *
 * @param attempts number of requests so far that failed, including this one
 * @returns the delay before the retry, in milliseconds; undefined if there is no retry: the failure is permanent, no
 * attempts are left, or the delay is too long
 */
export async function planRequestRetry(
  { client, retryDelayMs }: RetryParts,
  url: string,
  problem: PageProblem,
  { attempts, signal }: { readonly attempts: number; readonly signal: AbortSignal },
): Promise<number | undefined> {
  const waitMs = problem.retryAfterMs ?? retryDelayMs * 4 ** (attempts - 1);
  if (!problem.transient || attempts >= MAX_ATTEMPTS || waitMs > MAX_RETRY_WAIT_MS) return undefined;
  if (problem.retryAfterMs !== undefined || problem.code === 'rate_limited')
    await client.pauseHost(url, waitMs, signal);
  return waitMs;
}

const PAGES = new Set(['text/html', 'application/xhtml+xml']);
/** Lists media types that servers also send for files whose type they cannot determine. */
const UNSPECIFIC = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/download',
  'application/force-download',
]);
/** Media type that some servers send for Markdown and CSV. The file name in the URL then decides the type. */
const UNSPECIFIC_TEXT = 'text/plain';

/** Names the category of the content at a URL, by which it is read as an HTML page, read as a file, or not read. */
type Content =
  | { readonly kind: 'page' }
  | { readonly kind: 'file'; readonly mimeType: string }
  | { readonly kind: 'unsupported'; readonly mimeType: string };

/**
 * Classifies content by the media type of the response. If this type is unspecific, the file name in the URL decides.
 */
export function classifyContent(contentType: string | undefined, url: string): Content {
  const { mediaType } = parseContentType(contentType);
  if (PAGES.has(mediaType)) return { kind: 'page' };
  const typeOfName = findTypeOfName(getFileNameOfUrl(url));
  const byName = typeOfName && MEDIA_TYPES[typeOfName];
  if (UNSPECIFIC.has(mediaType)) return byName === undefined ? { kind: 'page' } : { kind: 'file', mimeType: byName };
  if (mediaType === UNSPECIFIC_TEXT && byName?.startsWith('text/') === true) return { kind: 'file', mimeType: byName };
  const type = findTypeOfMediaType(mediaType);
  return type === undefined
    ? { kind: 'unsupported', mimeType: mediaType }
    : { kind: 'file', mimeType: MEDIA_TYPES[type] };
}

/** Reports that a request failed and must be repeated after a delay. The job waits for the delay in its queue. */
export class RetryPostponed extends Error {
  readonly problem: PageProblem;
  readonly delayMs: number;

  constructor(problem: PageProblem, delayMs: number) {
    super(problem.message);
    this.name = 'RetryPostponed';
    this.problem = problem;
    this.delayMs = delayMs;
  }
}
