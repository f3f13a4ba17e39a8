import { normalizePath, parsePathPattern, type PathPattern } from '../urls/path-pattern.js';

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
 * Parses a robots.txt (RFC 9309). The groups that name the crawler apply together; if there are none, the groups for `*` apply.
 * The longest rule that matches a path decides, and Allow takes precedence over a Disallow of the same length.
 *
 * @param productToken the name of the crawler: letters, `_` and `-`
 */
export function parseRobotsTxt(text: string, productToken: string): RobotsRules {
  const { groups, sitemaps } = readGroups(text);
  const groupsForCrawler = groups.filter((group) => group.agents.includes(productToken.toLowerCase()));
  const applicable =
    groupsForCrawler.length > 0 ? groupsForCrawler : groups.filter((group) => group.agents.includes('*'));
  const rules = applicable.flatMap((group) => group.rules);
  return {
    allows: (path) => path === '/robots.txt' || isPathAllowed(rules, normalizePath(path)),
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

function readGroups(text: string): { readonly groups: readonly Group[]; readonly sitemaps: readonly string[] } {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let inHeader = false;
  for (const [key, value] of readLines(text)) {
    const group = groups.at(-1);
    if (key === 'user-agent') {
      if (inHeader) group?.agents.push(parseAgent(value));
      else groups.push({ agents: [parseAgent(value)], rules: [], crawlDelaySeconds: undefined });
      inHeader = true;
    } else if (key === 'allow' || key === 'disallow') {
      if (value !== '') group?.rules.push({ allow: key === 'allow', pattern: parsePathPattern(value) });
      inHeader = false;
    } else if (key === 'sitemap') sitemaps.push(value);
    // Not part of the RFC, so it must not end the list of agents (section 2.2.4).
    else if (key === 'crawl-delay' && group !== undefined) group.crawlDelaySeconds ??= parseSeconds(value);
  }
  return { groups, sitemaps };
}

function* readLines(text: string): Iterable<readonly [key: string, value: string]> {
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const record = /^\s*([^:#]+?)\s*:\s*([^#]*)/.exec(line);
    if (record !== null) yield [String(record[1]).toLowerCase(), String(record[2]).trim()];
  }
}

/** Returns the name in a User-agent line, such as `quarrybot` for `QuarryBot/1.0 (…)`. */
function parseAgent(value: string): string {
  if (value === '*' || value.startsWith('* ')) return '*';
  return (/^[a-z_-]+/i.exec(value)?.[0] ?? '').toLowerCase();
}

function parseSeconds(value: string): number | undefined {
  const number = Number(value);
  return value !== '' && number >= 0 ? number : undefined;
}
