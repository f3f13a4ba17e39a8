import { pathOf, pathPattern } from './path-pattern.js';

/** Which addresses belong to a site. */
export interface SiteScope {
  includes(address: string): boolean;
}

export interface ScopeRules {
  /** Rules over paths as in robots.txt; a page must match one. Absent: every page below the site's directory. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/**
 * A site is a host with and without `www.`, over http and https, and of it what lies in the directory of its first address:
 * `https://host/docs/` and `https://host/docs/index.html` stand for what begins with `/docs/`, `https://host/docs` for all of the
 * host. Rules to include take the place of the directory.
 */
export function siteScope(root: string, rules: ScopeRules): SiteScope {
  const directory = new URL('.', root).pathname;
  const include = (rules.include ?? [directory]).map(pathPattern);
  const exclude = (rules.exclude ?? []).map(pathPattern);
  return {
    includes: (address) => {
      if (!isSameSite(address, root)) return false;
      const path = pathOf(address);
      return include.some((rule) => rule.matches(path)) && !exclude.some((rule) => rule.matches(path));
    },
  };
}

export function isSameSite(a: string, b: string): boolean {
  return siteOf(a) === siteOf(b);
}

/** Host without `www.` and a final dot, with the port where one is written. */
function siteOf(address: string): string {
  return new URL(address).host.replace(/^www\./, '').replace(/\.+(?=$|:)/, '');
}

const MOST_REPEATS = 3;

/** True for `/a/b/a/b/a/b/a/b/`: relative links on pages that answer to any path make endless ones. */
export function isPathTrap(address: string): boolean {
  const counts = new Map<string, number>();
  for (const segment of new URL(address).pathname.split('/')) {
    if (segment !== '') counts.set(segment, (counts.get(segment) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values()) > MOST_REPEATS;
}
