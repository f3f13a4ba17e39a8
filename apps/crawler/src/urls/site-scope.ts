import { getNormalizedPath, parsePathPattern } from './path-pattern.js';

/** Decides which URLs belong to a site. */
export interface SiteScope {
  includes(url: string): boolean;
}

export interface ScopeRules {
  /** Path patterns as in robots.txt. A page must match one of them. Default: the directory of the root URL. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/**
 * Creates the scope of a site: the host of the root URL, with and without `www.`, over http and https, limited to the
 * directory of the root URL. `https://host/docs/` and `https://host/docs/index.html` include paths below `/docs/`;
 * `https://host/docs` includes the whole host. `include` rules replace the directory.
 */
export function createSiteScope(root: string, rules: ScopeRules): SiteScope {
  const directory = new URL('.', root).pathname;
  const include = (rules.include ?? [directory]).map(parsePathPattern);
  const exclude = (rules.exclude ?? []).map(parsePathPattern);
  return {
    includes: (url) => {
      if (!isSameSite(url, root)) return false;
      const path = getNormalizedPath(url);
      return include.some((rule) => rule.matches(path)) && !exclude.some((rule) => rule.matches(path));
    },
  };
}

export function isSameSite(a: string, b: string): boolean {
  return getSiteHost(a) === getSiteHost(b);
}

/** Returns the host of a URL with its port, without `www.` and without a trailing dot. */
function getSiteHost(url: string): string {
  return new URL(url).host.replace(/^www\./, '').replace(/(?<!\.)\.+(?=$|:)/, '');
}

const MAX_SEGMENT_REPEATS = 3;

/**
 * Returns whether a URL is a crawler trap such as `/a/b/a/b/a/b/a/b/`. Relative links on pages that accept any path
 * generate such endless paths.
 */
export function isCrawlerTrap(url: string): boolean {
  const counts = new Map<string, number>();
  for (const segment of new URL(url).pathname.split('/')) {
    if (segment !== '') counts.set(segment, (counts.get(segment) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values()) > MAX_SEGMENT_REPEATS;
}
