import type { FetchError } from '@quarry/safe-fetch';
import type { PageProblem, Visit } from './page.js';

/** Codes of pages that are left out because that is how they are. */
const SKIPPED = {
  robots_disallowed: 'robots.txt does not let this crawler fetch it',
  noindex: 'the page asks not to be indexed',
  not_found: 'there is no such page',
  gone: 'the page was removed for good',
  soft_404: 'the page says that there is no such page',
  login_page: 'it asks for a password, and says little else',
  unsupported_type: 'its type cannot be read',
  duplicate_of: 'its content is already there under another address',
  out_of_scope: 'it is not part of what is crawled here',
  limit_reached: 'the crawl has as many pages as it may have',
  redirected_out_of_scope: 'it leads to another site, or to a part of the site that is left out',
} as const;
/** Codes of pages that could not be had or read; what is known of them from before stays. */
const FAILED = {
  access_denied: 'the server does not let this crawler in',
  rate_limited: 'the server asks for fewer requests',
  fetch_failed: 'the page could not be fetched',
  robots_unreachable: 'robots.txt could not be read, so nothing may be fetched',
  too_large: 'it is larger than is taken',
  too_many_redirects: 'it redirects too often',
  redirect_loop: 'its redirects lead back to it',
  needs_rendering: 'its text is put in by scripts',
  no_text_found: 'there is no text on it',
  page_unreadable: 'it cannot be read with the time and memory that a page may take',
  invalid_url: 'it is not the address of a web page',
} as const;

export type ProblemCode = keyof typeof SKIPPED | keyof typeof FAILED;

export type ProblemVisit = Visit & { readonly kind: 'problem' };

export interface ProblemDetails {
  /** What was found, after the code's own sentence. */
  readonly found?: string;
  readonly passing?: boolean;
  readonly retryAfterMs?: number | undefined;
}

export function problem(code: ProblemCode, { found, passing = false, retryAfterMs }: ProblemDetails = {}): PageProblem {
  const sentence = code in SKIPPED ? SKIPPED[code as keyof typeof SKIPPED] : FAILED[code as keyof typeof FAILED]; // the two hold all codes
  return {
    outcome: code in SKIPPED ? 'skipped' : 'failed',
    code,
    message: found === undefined ? sentence : `${sentence}: ${found}`,
    passing,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

export function problemVisit(code: ProblemCode, details?: ProblemDetails, links: readonly string[] = []): ProblemVisit {
  return { kind: 'problem', problem: problem(code, details), links };
}

/** What a status other than success, 304 and redirects means for a page (RFC 9110 section 15). */
export function problemOfStatus(status: number, retryAfterMs: number | undefined): PageProblem {
  const found = `the server answered with the status ${status}`;
  if (status === 404) return problem('not_found', { found });
  if (status === 410) return problem('gone', { found });
  if ([401, 402, 403, 407, 451].includes(status)) return problem('access_denied', { found });
  if (status === 429) return problem('rate_limited', { found, passing: true, retryAfterMs });
  const passing = status === 408 || status === 425 || (status >= 500 && status !== 501 && status !== 505);
  return problem('fetch_failed', { found, passing, retryAfterMs });
}

/** Refusals keep their code, which says what is wrong with the address or the answer; the network's failures pass. */
export function problemOfError(error: FetchError): PageProblem {
  if (error.name === 'FetchFailed') return problem('fetch_failed', { found: error.message, passing: true });
  return { outcome: 'failed', code: error.code, message: error.message, passing: false };
}
