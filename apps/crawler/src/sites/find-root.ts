import { isSameSite, siteScope, type ScopeRules, type SiteScope } from '../addresses/site-scope.js';
import { problem } from '../pages/page-problems.js';
import type { PageProblem } from '../pages/page.js';
import { frontierEntry } from './frontier.js';
import { lookUp, type Finding, type LookUpParts } from './look-up.js';

/** Where a site begins, after its redirects. */
export interface SiteRoot {
  readonly request: string;
  readonly finding: Finding;
  readonly scope: SiteScope;
}

export type RootFound = { readonly root: SiteRoot } | { readonly problem: PageProblem };

const MAX_REDIRECTS = 5;
/** A root that is there leads to the site's pages, even if there is nothing to index on it. */
const LEADS_ON = new Set(['noindex', 'soft_404', 'login_page', 'needs_rendering', 'no_text_found', 'page_unreadable']);

/** Looks up a site's root and follows where it was moved to; the site is what lies there. */
export async function findRoot(
  parts: LookUpParts,
  start: string,
  rules: ScopeRules,
  signal: AbortSignal,
): Promise<RootFound> {
  let request = start;
  for (const seen = new Set<string>(); seen.size <= MAX_REDIRECTS;) {
    seen.add(request);
    const finding = await lookUp(parts, frontierEntry({ request, depth: 0, redirects: 0 }), signal);
    const { redirectTo, problem: found } = finding.record;
    const isSentToLogin = found?.code === 'login_page' && request !== start;
    if (finding.record.found === 'problem' && found !== undefined && (isSentToLogin || !LEADS_ON.has(found.code))) {
      return { problem: finding.passing ?? { ...found, passing: false } };
    }
    if (finding.record.found !== 'redirect' || redirectTo === undefined) {
      return { root: { request, finding, scope: siteScope(beginningOf(start, request), rules) } };
    }
    if (seen.has(redirectTo)) return { problem: problem('redirect_loop', { found: redirectTo }) };
    request = redirectTo;
  }
  return { problem: problem('too_many_redirects', { found: `more than ${MAX_REDIRECTS}` }) };
}

/**
 * The address whose directory is the site's: the one that was given, unless its redirect only put a slash behind it, or led
 * out of that directory.
 */
function beginningOf(start: string, arrival: string): string {
  const [given, there] = [new URL(start), new URL(arrival)];
  if (there.pathname === `${given.pathname}/`) return arrival;
  return isSameSite(start, arrival) && siteScope(start, {}).includes(arrival) ? start : arrival;
}
