import type { FetchError } from '@quarry/safe-fetch';
import type { PageProblem, Visit } from './page.js';

/** Explains the codes of pages that are skipped because of their content, their owner or the settings of the crawl. */
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
/** Explains the codes of pages that could not be fetched or read. Their stored content is retained. */
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
  invalid_url: 'expected the URL of a web page',
} as const;

export type ProblemCode = keyof typeof SKIPPED | keyof typeof FAILED;

export type ProblemVisit = Visit & { readonly kind: 'problem' };

export interface ProblemDetails {
  /** Text that is appended to the explanation of the code, such as a media type. */
  readonly found?: string;
  readonly transient?: boolean;
  readonly retryAfterMs?: number | undefined;
}

export function createProblem(
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
  return { kind: 'problem', problem: createProblem(code, details), links };
}

/** Converts an HTTP error status (RFC 9110 section 15) into a page problem. */
export function toStatusProblem(status: number, retryAfterMs: number | undefined): PageProblem {
  const found = `the server responded with the status ${status}`;
  if (status === 404) return createProblem('not_found', { found });
  if (status === 410) return createProblem('gone', { found });
  if ([401, 402, 403, 407, 451].includes(status)) return createProblem('access_denied', { found });
  if (status === 429) return createProblem('rate_limited', { found, transient: true, retryAfterMs });
  const transient = status === 408 || status === 425 || (status >= 500 && status !== 501 && status !== 505);
  return createProblem('fetch_failed', { found, transient, retryAfterMs });
}

/** Converts a FetchError into a page problem. A FetchRefused keeps its code and is permanent; a FetchFailed is transient. */
export function toFetchProblem(error: FetchError): PageProblem {
  if (error.name === 'FetchFailed') return createProblem('fetch_failed', { found: error.message, transient: true });
  return { outcome: 'failed', code: error.code, message: error.message, transient: false };
}
