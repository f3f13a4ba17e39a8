import { parseRetryAfter } from '@quarry/http-responses';
import { isFetchError, type FetchError, type SafeResponse } from '@quarry/safe-fetch';
import { normalizePathEscapes, parsePathPattern, type PathPattern } from '../urls/path-pattern.js';
import type { Clock } from './clock.js';

/**
 * Holds the rules of a robots.txt, or the reason why it cannot be fetched. Without the rules, no page of the host may
 * be fetched.
 */
export type RobotsResult =
  | { readonly reachable: true; readonly rules: RobotsRules }
  | {
      readonly reachable: false;
      readonly message: string;
      readonly error?: FetchError;
      /** The `Retry-After` of the response to the request for robots.txt, in milliseconds. Absent if it has none. */
      readonly retryAfterMs?: number | undefined;
    };

export interface RobotsCache {
  /**
   * Returns the robots.txt of an origin such as `https://example.com`.
   *
   * @param maxWaitMs maximum time that a new request waits for the rate limit of its host; absent: no limit
   * @throws HostBusy if a new request may not start within `maxWaitMs`
   */
  get(origin: string, maxWaitMs?: number): Promise<RobotsResult>;
}

export interface RobotsCacheParts {
  readonly clock: Clock;
  readonly productToken: string;
  /** Requests a URL within the rate limit of its host, follows redirects, and reads the response. */
  fetch(
    url: string,
    wait: { readonly signal: AbortSignal; readonly maxWaitMs: number | undefined },
    read: (response: SafeResponse) => Promise<RobotsResult>,
  ): Promise<RobotsResult>;
}

/**
 * Maximum length of the path pattern of a rule, in characters. Longer patterns are ignored. The crawler requests no URLs
 * of this length.
 */
const MAX_RULE_LENGTH = 2_048;
/** Maximum number of bytes of a robots.txt that are parsed (RFC 9309 section 2.5). */
const MAX_BYTES = 500 * 1024;
/** Time after which a robots.txt is fetched again, in milliseconds. RFC 9309 section 2.4 allows 24 hours. */
const MAX_AGE_MS = 60 * 60_000;
/**
 * Time after which a failed request for a robots.txt is repeated, in milliseconds. Shorter than the delay of the first
 * retry of a page. Otherwise, the stored failure would use up the attempts of the page.
 */
const MAX_AGE_UNREACHABLE_MS = 1_000;
/** Maximum duration of fetching a robots.txt in milliseconds, including the wait for the rate limit of the host. */
const FETCH_TIMEOUT_MS = 6 * 60_000;
const MAX_HOSTS = 2_000;

interface CacheEntry {
  readonly result: Promise<RobotsResult>;
  expiresAt: number;
}

/** Caches the robots.txt of each origin for an hour. Concurrent calls share one request. */
export function createRobotsCache(parts: RobotsCacheParts): RobotsCache {
  const cache = new Map<string, CacheEntry>();
  return {
    get: (origin, maxWaitMs) => {
      const cached = cache.get(origin);
      if (cached !== undefined && cached.expiresAt > parts.clock.now()) return cached.result;
      cache.delete(origin);
      if (cache.size >= MAX_HOSTS) cache.delete(cache.keys().next().value ?? origin);
      const entry: CacheEntry = {
        result: fetchRobotsTxt(parts, origin, maxWaitMs),
        expiresAt: parts.clock.now() + MAX_AGE_MS,
      };
      cache.set(origin, entry);
      entry.result.then(
        (result) => {
          if (result.reachable) return;
          // A `Retry-After` pauses the host, so the next request starts after the pause and needs a new robots.txt.
          entry.expiresAt = parts.clock.now() + (result.retryAfterMs === undefined ? MAX_AGE_UNREACHABLE_MS : 0);
        },
        () => cache.delete(origin),
      );
      return entry.result;
    },
  };
}

/** Fetches a robots.txt and interprets failures as RFC 9309 section 2.3.1 requires. */
async function fetchRobotsTxt(
  parts: RobotsCacheParts,
  origin: string,
  maxWaitMs: number | undefined,
): Promise<RobotsResult> {
  // The request ignores the signals of jobs, because several jobs can wait for it.
  const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
  try {
    return await parts.fetch(`${origin}/robots.txt`, { signal, maxWaitMs }, (response) =>
      readRobotsResponse(parts, response),
    );
  } catch (error) {
    if (!isFetchError(error) || error.code === 'aborted') throw error;
    if (error.code === 'too_many_redirects' || error.code === 'redirect_loop')
      return { reachable: true, rules: NO_RULES };
    return { reachable: false, message: error.message, error };
  }
}

async function readRobotsResponse(parts: RobotsCacheParts, response: SafeResponse): Promise<RobotsResult> {
  const { status } = response;
  if (status >= 500 || status === 429) {
    await response.discard();
    const retryAfter = parseRetryAfter(response.headers.get('retry-after'), parts.clock.now());
    const message = `expected a robots.txt or the status 404, found the status ${status}`;
    return { reachable: false, message, retryAfterMs: retryAfter };
  }
  if (status < 200 || status >= 300) {
    await response.discard();
    return { reachable: true, rules: NO_RULES };
  }
  return { reachable: true, rules: parseRobotsTxt(await readTextUpToLimit(response), parts.productToken) };
}

async function readTextUpToLimit(response: SafeResponse): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_BYTES) break;
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MAX_BYTES));
}

/** Holds the rules of a robots.txt for one crawler. */
export interface RobotsRules {
  /** Returns whether a path with its query, such as `/a?b=c`, may be fetched. */
  allows(path: string): boolean;
  readonly crawlDelaySeconds: number | undefined;
  /** The URLs of sitemaps exactly as the file contains them. */
  readonly sitemaps: readonly string[];
}

interface Rule {
  readonly allow: boolean;
  readonly pattern: PathPattern;
}

interface Group {
  readonly agents: string[];
  readonly rules: Rule[];
  crawlDelaySeconds: number | undefined;
}

/**
 * Parses a robots.txt (RFC 9309). The groups that name the crawler apply together. If no group names it, the groups for
 * `*` apply. The longest rule that matches a path decides. If an Allow and a Disallow are equally long, the Allow
 * decides.
 *
 * @param productToken the name of the crawler: letters, `_` and `-`
 */
export function parseRobotsTxt(text: string, productToken: string): RobotsRules {
  const { groups, sitemaps } = parseRobotsGroups(text);
  const groupsForCrawler = groups.filter((group) => group.agents.includes(productToken.toLowerCase()));
  const applicable =
    groupsForCrawler.length > 0 ? groupsForCrawler : groups.filter((group) => group.agents.includes('*'));
  const rules = applicable.flatMap((group) => group.rules);
  return {
    allows: (path) => path === '/robots.txt' || isPathAllowed(rules, normalizePathEscapes(path)),
    crawlDelaySeconds: applicable.find((group) => group.crawlDelaySeconds !== undefined)?.crawlDelaySeconds,
    sitemaps,
  };
}

export const NO_RULES: RobotsRules = { allows: () => true, crawlDelaySeconds: undefined, sitemaps: [] };

function isPathAllowed(rules: readonly Rule[], path: string): boolean {
  let decision: Rule | undefined;
  for (const rule of rules) {
    const isLonger = decision === undefined || rule.pattern.length > decision.pattern.length;
    const isAllowOfSameLength = decision?.pattern.length === rule.pattern.length && rule.allow;
    if ((isLonger || isAllowOfSameLength) && rule.pattern.matches(path)) decision = rule;
  }
  return decision?.allow ?? true;
}

function parseRobotsGroups(text: string): { readonly groups: readonly Group[]; readonly sitemaps: readonly string[] } {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let inHeader = false;
  for (const [key, value] of parseRobotsLines(text)) {
    const group = groups.at(-1);
    if (key === 'user-agent') {
      if (inHeader) group?.agents.push(parseUserAgent(value));
      else groups.push({ agents: [parseUserAgent(value)], rules: [], crawlDelaySeconds: undefined });
      inHeader = true;
    } else if (key === 'allow' || key === 'disallow') {
      if (value !== '' && value.length <= MAX_RULE_LENGTH)
        group?.rules.push({ allow: key === 'allow', pattern: parsePathPattern(value) });
      inHeader = false;
    } else if (key === 'sitemap') sitemaps.push(value);
    // `Crawl-delay` is not part of the RFC, so it must not end the list of agents (section 2.2.4).
    else if (key === 'crawl-delay' && group !== undefined) group.crawlDelaySeconds ??= parseCrawlDelaySeconds(value);
  }
  return { groups, sitemaps };
}

function* parseRobotsLines(text: string): Iterable<readonly [key: string, value: string]> {
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [record = ''] = line.split('#', 1);
    const colon = record.indexOf(':');
    const key = record.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (key !== '') yield [key, record.slice(colon + 1).trim()];
  }
}

/** Returns the name in the value of a User-agent line in lower case, such as `quarrybot` for `QuarryBot/1.0 (…)`. */
function parseUserAgent(value: string): string {
  if (value === '*' || value.startsWith('* ')) return '*';
  return (/^[a-z_-]+/i.exec(value)?.[0] ?? '').toLowerCase();
}

function parseCrawlDelaySeconds(value: string): number | undefined {
  const number = Number(value);
  return value !== '' && number >= 0 ? number : undefined;
}
