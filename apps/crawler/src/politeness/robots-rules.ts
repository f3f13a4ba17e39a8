import { comparable, pathPattern, type PathPattern } from '../addresses/path-pattern.js';

/** What a robots.txt says to one crawler. */
export interface RobotsRules {
  /** @param path with its query, such as `/a?b=c` */
  allows(path: string): boolean;
  readonly crawlDelaySeconds: number | undefined;
  /** As they are written there. */
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
 * Reads a robots.txt by RFC 9309: the groups that name the crawler count, together, and otherwise those for `*`. Of the rules
 * that match a path the longest decides; of an Allow and a Disallow of the same length the Allow.
 *
 * @param productToken the crawler's name, letters, `_` and `-` only
 */
export function parseRobots(text: string, productToken: string): RobotsRules {
  const { groups, sitemaps } = readGroups(text);
  const named = groups.filter((group) => group.agents.includes(productToken.toLowerCase()));
  const mine = named.length > 0 ? named : groups.filter((group) => group.agents.includes('*'));
  const rules = mine.flatMap((group) => group.rules);
  return {
    allows: (path) => path === '/robots.txt' || allows(rules, comparable(path)),
    crawlDelaySeconds: mine.find((group) => group.crawlDelaySeconds !== undefined)?.crawlDelaySeconds,
    sitemaps,
  };
}

export const NO_RULES: RobotsRules = { allows: () => true, crawlDelaySeconds: undefined, sitemaps: [] };

function allows(rules: readonly Rule[], path: string): boolean {
  let decision: Rule | undefined;
  for (const rule of rules) {
    const longer = decision === undefined || rule.pattern.length > decision.pattern.length;
    const milder = decision?.pattern.length === rule.pattern.length && rule.allow;
    if ((longer || milder) && rule.pattern.matches(path)) decision = rule;
  }
  return decision?.allow ?? true;
}

function readGroups(text: string): { readonly groups: readonly Group[]; readonly sitemaps: readonly string[] } {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let inHeader = false;
  for (const [key, value] of records(text)) {
    const group = groups.at(-1);
    if (key === 'user-agent') {
      if (inHeader) group?.agents.push(agentOf(value));
      else groups.push({ agents: [agentOf(value)], rules: [], crawlDelaySeconds: undefined });
      inHeader = true;
    } else if (key === 'allow' || key === 'disallow') {
      if (value !== '') group?.rules.push({ allow: key === 'allow', pattern: pathPattern(value) });
      inHeader = false;
    } else if (key === 'sitemap') sitemaps.push(value);
    // Not of the RFC, so it must not end the list of agents (section 2.2.4).
    else if (key === 'crawl-delay' && group !== undefined) group.crawlDelaySeconds ??= seconds(value);
  }
  return { groups, sitemaps };
}

function* records(text: string): Iterable<readonly [key: string, value: string]> {
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const record = /^\s*([^:#]+?)\s*:\s*([^#]*)/.exec(line);
    if (record !== null) yield [String(record[1]).toLowerCase(), String(record[2]).trim()];
  }
}

/** `QuarryBot/1.0 (…)` names QuarryBot. */
function agentOf(value: string): string {
  if (value === '*' || value.startsWith('* ')) return '*';
  return (/^[a-z_-]+/i.exec(value)?.[0] ?? '').toLowerCase();
}

function seconds(value: string): number | undefined {
  const number = Number(value);
  return value !== '' && number >= 0 ? number : undefined;
}
