import { canonicalEscapes } from './address-key.js';

/** A rule over paths, as robots.txt writes them. */
export interface PathPattern {
  /** Octets of the rule, which decide between several that match. */
  readonly length: number;
  /** @param path as `pathOf` and `comparable` give it */
  matches(path: string): boolean;
}

/**
 * A pattern matches from the beginning of a path with its query; `*` stands for any characters, `$` at its end for the
 * path's end (RFC 9309 section 2.2.3). Path and pattern are compared with the same escapes.
 */
export function pathPattern(text: string): PathPattern {
  const rule = comparable(text);
  const anchored = rule.endsWith('$');
  const parts = (anchored ? rule.slice(0, -1) : rule).split('*');
  return { length: rule.length, matches: (path) => matchParts(parts, path, anchored) };
}

/** Takes the first place for each part but the last: if any choice of places matches, so does that. */
function matchParts(parts: readonly string[], path: string, anchored: boolean): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return anchored ? path === first : path.startsWith(first);
  if (!path.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = path.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return anchored ? path.length - last.length >= from && path.endsWith(last) : path.includes(last, from);
}

/** With the escapes that rules and paths are compared by: capitals, and none that are not needed. */
export function comparable(text: string): string {
  return canonicalEscapes(text.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent));
}

/** What rules are compared with: the path and the query of an address. */
export function pathOf(address: string): string {
  const url = new URL(address);
  return comparable(url.pathname + url.search);
}
