import { createHash } from 'node:crypto';
import type { ReasonCode } from '@quarry/contracts';
import type { SafeResponse, FetchError } from '@quarry/safe-fetch';
import type { PoliteClient } from '../politeness/polite-client.js';
import type { Renderer } from '../rendering/renderer.js';
import type { HtmlReader } from './html/html-reader.js';

/** Describes the content behind a URL: an HTML page with its main content as Markdown, or a file. */
export interface Page {
  /** The URL from which the page was fetched. */
  readonly source: string;
  /** The title of the page, or the name of the file. */
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
  readonly metadata: Readonly<Record<string, string>>;
  /** SHA-256 of media type, title and content, in base64url. Duplicate pages have equal hashes. */
  readonly contentHash: string;
  /** The canonical URL that the page declares, not normalized. */
  readonly canonical: string | undefined;
  /** The date of the page's `unavailable_after` directive, ISO 8601. The page must not be indexed after this date. */
  readonly unavailableAfter: string | undefined;
  readonly links: readonly string[];
}

/** Explains why a URL has no content to index. */
export interface PageProblem {
  /**
   * `skipped`: not indexed because of the page's content, the owner of the site or the crawl settings. `failed`: could
   * not be fetched or read.
   */
  readonly outcome: 'skipped' | 'failed';
  /** The stable code of the problem. */
  readonly code: ReasonCode;
  /** English description of the problem for users. */
  readonly message: string;
  /** True if another request for the URL may succeed. */
  readonly transient: boolean;
  /** The delay that the server requested with `Retry-After`, in milliseconds. Absent without this header. */
  readonly retryAfterMs?: number;
}

/** Holds the result of visiting a URL once. */
export type Visit =
  | { readonly kind: 'page'; readonly page: Page; readonly validators: Validators }
  /**
   * The server responded to a conditional request with 304: the content has not changed since the response whose
   * validators the request contained.
   */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'redirect'; readonly to: string }
  /** The URL has no content to index. `links`: links of the page that the crawl may follow nevertheless. */
  | { readonly kind: 'problem'; readonly problem: PageProblem; readonly links: readonly string[] };

/** Holds the ETag and the modification date of a response, for conditional requests (RFC 9110 section 8.8). */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/** Reads the `ETag` and `Last-Modified` headers of a response. */
export function readValidators(headers: SafeResponse['headers']): Validators {
  const etag = headers.get('etag');
  const lastModified = headers.get('last-modified');
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}

/**
 * Hashes the media type, title and content of a page. Pages with equal hashes are duplicates.
 *
 * @returns SHA-256 in base64url
 */
export function hashPage(mimeType: string, title: string, bytes: Uint8Array): string {
  return createHash('sha256').update(`${mimeType}\0${title}\0`).update(bytes).digest('base64url');
}

/**
 * Explanations of the codes of skipped pages. A page is skipped because of its content, the owner of the site or the
 * crawl settings.
 */
const SKIPPED = {
  robots_disallowed: 'robots.txt disallows the URL for this crawler',
  noindex: 'the page has a noindex directive',
  not_found: 'the page does not exist',
  gone: 'the page was removed permanently',
  soft_404: 'the page is an error page with the status 200',
  login_page: 'the page is a login page',
  unsupported_type: 'the media type is not supported',
  duplicate_of: 'another page has the same content',
  out_of_scope: 'the URL is outside the scope of the crawl',
  limit_reached: 'the crawl has reached its page limit',
  redirected_out_of_scope: 'the page redirects to a URL outside the scope of the crawl',
} as const;
/**
 * Explanations of the codes of failed pages, which could not be fetched or read. Content of such a page from an earlier
 * run stays stored.
 */
const FAILED = {
  access_denied: 'the server denies access to the page',
  rate_limited: 'the server limits the request rate',
  fetch_failed: 'the page could not be fetched',
  robots_unreachable: 'robots.txt could not be fetched, so no page of the host may be fetched',
  too_large: 'the page exceeds the size limit',
  too_many_redirects: 'the page has too many redirects',
  redirect_loop: 'the page redirects in a loop',
  needs_rendering: 'scripts create the text of the page',
  no_text_found: 'the page contains no text',
  page_unreadable: 'the page exceeds the time or memory limit of extraction',
  invalid_url: 'the address is not the URL of a web page',
} as const;

export type ProblemCode = keyof typeof SKIPPED | keyof typeof FAILED;

export type ProblemVisit = Visit & { readonly kind: 'problem' };

export interface ProblemDetails {
  /** Detail that follows the explanation of the problem code in the message, such as the unsupported media type. */
  readonly found?: string;
  readonly transient?: boolean;
  readonly retryAfterMs?: number | undefined;
}

export function createPageProblem(
  code: ProblemCode,
  { found, transient = false, retryAfterMs }: ProblemDetails = {},
): PageProblem {
  const explanation = code in SKIPPED ? SKIPPED[code as keyof typeof SKIPPED] : FAILED[code as keyof typeof FAILED]; // SKIPPED and FAILED together contain all codes.
  return {
    outcome: code in SKIPPED ? 'skipped' : 'failed',
    code,
    message: found === undefined ? explanation : `${explanation}: ${found}`,
    transient,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

export function createProblemVisit(
  code: ProblemCode,
  details?: ProblemDetails,
  links: readonly string[] = [],
): ProblemVisit {
  return { kind: 'problem', problem: createPageProblem(code, details), links };
}

/** Converts an HTTP error status (RFC 9110 section 15) into a page problem. */
export function createHttpStatusProblem(status: number, retryAfterMs: number | undefined): PageProblem {
  const found = `the server responded with the status ${status}`;
  if (status === 404) return createPageProblem('not_found', { found });
  if (status === 410) return createPageProblem('gone', { found });
  if ([401, 402, 403, 407, 451].includes(status)) return createPageProblem('access_denied', { found });
  if (status === 429) return createPageProblem('rate_limited', { found, transient: true, retryAfterMs });
  const transient = status === 408 || status === 425 || (status >= 500 && status !== 501 && status !== 505);
  return createPageProblem('fetch_failed', { found, transient, retryAfterMs });
}

/**
 * Converts a FetchError into a page problem. A FetchFailed becomes a transient problem. A FetchRefused becomes a
 * permanent problem with the same code.
 */
export function createFetchProblem(error: FetchError): PageProblem {
  if (error.name === 'FetchFailed') return createPageProblem('fetch_failed', { found: error.message, transient: true });
  return { outcome: 'failed', code: error.code, message: error.message, transient: false };
}

/** Returns the problem of a page whose robots.txt cannot be fetched. */
export function createRobotsProblem({
  message,
  retryAfterMs,
}: {
  readonly message: string;
  readonly retryAfterMs?: number | undefined;
}): PageProblem {
  return createPageProblem('robots_unreachable', { found: message, transient: true, retryAfterMs });
}

/** Holds the dependencies and limits for visiting URLs. */
export interface VisitParts {
  readonly client: PoliteClient;
  readonly html: HtmlReader;
  /** Renders pages whose text is created by scripts. Undefined if rendering is not configured. */
  readonly renderer: Renderer | undefined;
  readonly redirects: RedirectMemory;
  readonly productToken: string;
  readonly maxPageBytes: number;
  readonly maxFileBytes: number;
  readonly now: () => number;
}

/**
 * Holds a response to a request for a page, with its body. `bytes` is empty if the body was not read, because it is not
 * needed.
 */
export interface PageResponse {
  readonly url: string;
  readonly status: number;
  readonly headers: SafeResponse['headers'];
  readonly bytes: Uint8Array;
}

/** Maximum number of redirects that a process stores. The oldest redirect is removed first. */
const MAX_REDIRECTS = 20_000;

/**
 * Stores in memory the redirects that runs have found. If a job returns to its queue in the middle of a chain of
 * redirects, its next start continues at the end of the chain. It thus repeats none of the earlier requests.
 */
export class RedirectMemory {
  readonly #targets = new Map<string, string>();

  find(runId: string, url: string): string | undefined {
    return this.#targets.get(`${runId} ${url}`);
  }

  add(runId: string, url: string, to: string): void {
    if (this.#targets.size >= MAX_REDIRECTS) this.#targets.delete(this.#targets.keys().next().value ?? '');
    this.#targets.set(`${runId} ${url}`, to);
  }
}
