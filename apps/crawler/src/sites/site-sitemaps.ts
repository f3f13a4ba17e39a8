import { addressKey } from '../addresses/address-key.js';
import { isSameSite } from '../addresses/site-scope.js';
import type { PageProblem } from '../pages/page.js';
import type { RetryParts } from '../pages/visit-with-retries.js';
import type { SitemapEntry } from '../sitemaps/read-sitemap.js';
import { walkSitemaps, type SitemapProblem, type SitemapWalk } from '../sitemaps/walk-sitemaps.js';
import type { Frontier } from './frontier.js';
import { takes, type SiteCrawl } from './settle-finding.js';

export interface SitemapParts {
  readonly patience: RetryParts;
  readonly crawl: Pick<SiteCrawl, 'scope'> & { readonly frontier: Frontier };
  readonly signal: AbortSignal;
  /** Takes in another site that lets the sitemap list its pages. Absent: no other sites are asked. */
  readonly onAgreed?: (origin: string) => void;
}

/** What came of a site's sitemaps. */
export interface SitemapPages extends SitemapWalk {
  /** Pages that were taken. */
  readonly taken: number;
  /** Pages of other sites, which were left out, and one of them. */
  readonly foreign: number;
  readonly foreignExample: string | undefined;
  /** Pages that are not part of the site or of what is wanted of it: the first of them. */
  readonly outOfScope: readonly string[];
}

/** Pages of other sites that are kept in mind until it is known whether those sites agree. */
const MAX_FOREIGN = 100_000;
const MAX_FOREIGN_SITES = 20;
const MAX_NAMED = 100;

/** Adds the pages of a site's sitemaps to its frontier. */
export async function takeSitemaps(
  parts: SitemapParts,
  starts: readonly string[],
  depth: number,
): Promise<SitemapPages> {
  const { crawl, patience, signal } = parts;
  const foreign: SitemapEntry[] = [];
  const unwanted: string[] = [];
  let taken = 0;
  const take = ({ address, modified }: SitemapEntry): boolean => {
    if (crawl.frontier.add({ request: address, depth, redirects: 0, sitemapModified: modified })) taken += 1;
    return crawl.frontier.turnedAway.size === 0;
  };
  const onPage = (entry: SitemapEntry, sitemap: string): boolean => {
    if (takes(crawl, entry.address)) return take(entry);
    if (!isSameSite(entry.address, sitemap) && foreign.length < MAX_FOREIGN) foreign.push(entry);
    else if (unwanted.length < MAX_NAMED) unwanted.push(addressKey(entry.address));
    return true;
  };
  const walk = await walkSitemaps({ ...patience, signal, onPage }, starts);
  if (parts.onAgreed !== undefined) await agree(parts, foreign, starts, parts.onAgreed);
  const left = foreign.filter((entry) => !takes(crawl, entry.address));
  for (const entry of foreign) if (takes(crawl, entry.address)) take(entry);
  const outOfScope = [...left.slice(0, MAX_NAMED).map(({ address }) => addressKey(address)), ...unwanted].slice(
    0,
    MAX_NAMED,
  );
  return { ...walk, taken, foreign: left.length, foreignExample: left[0]?.address, outOfScope };
}

/**
 * Finds the other sites whose robots.txt names one of the sitemaps: these let it list their pages (sitemaps.org, "Sitemaps &
 * Cross Submits").
 */
async function agree(
  { patience: { client }, signal }: Pick<SitemapParts, 'patience' | 'signal'>,
  foreign: readonly SitemapEntry[],
  sitemaps: readonly string[],
  onAgreed: (origin: string) => void,
): Promise<void> {
  const origins = [...new Set(foreign.map((entry) => new URL(entry.address).origin))].slice(0, MAX_FOREIGN_SITES);
  for (const origin of origins) {
    const robots = await client.robotsOf(`${origin}/`, signal);
    const named = robots.reachable ? robots.rules.sitemaps : [];
    if (named.some((sitemap) => sitemaps.includes(URL.parse(sitemap, origin)?.href ?? ''))) onAgreed(origin);
  }
}

/** Which sitemaps a site has: those that its robots.txt names, else the one at the usual place. */
export async function sitemapsOf(
  { patience: { client }, signal }: Pick<SitemapParts, 'patience' | 'signal'>,
  root: string,
): Promise<{ readonly addresses: readonly string[]; readonly areNamed: boolean }> {
  const robots = await client.robotsOf(root, signal);
  const named = (robots.reachable ? robots.rules.sitemaps : []).flatMap(
    (sitemap) => URL.parse(sitemap, root)?.href ?? [],
  );
  const addresses = named.filter((sitemap) => /^https?:/.test(sitemap));
  if (addresses.length > 0) return { addresses, areNamed: true };
  return { addresses: [new URL('/sitemap.xml', root).href], areNamed: false };
}

/** A sitemap that was only guessed at and is not there is no problem. */
export function realProblems(walk: SitemapWalk, guessed: boolean): readonly SitemapProblem[] {
  return guessed ? walk.problems.filter(({ problem }) => problem.passing || walk.read > 0) : walk.problems;
}

export function describeProblems(problems: readonly SitemapProblem[]): string | undefined {
  const [first, ...more] = problems;
  if (first === undefined) return undefined;
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return `The sitemap ${first.address} could not be read whole${others}: ${first.problem.message}.`;
}

/** What is wrong with the one sitemap that a site was given by. */
export function sitemapFailure(address: string, problem: PageProblem): PageProblem {
  const code = TELLS_ITSELF.has(problem.code) ? 'sitemap_unreadable' : problem.code;
  return { ...problem, code, message: `the sitemap ${address} could not be read: ${problem.message}` };
}

/** Codes that say of a page what is said of a sitemap in other words. */
const TELLS_ITSELF = new Set([
  'not_found',
  'gone',
  'access_denied',
  'fetch_failed',
  'sitemap_unreadable',
  'too_many_redirects',
]);
