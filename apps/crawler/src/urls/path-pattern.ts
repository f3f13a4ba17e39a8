import { normalizePercentEscapes } from '@quarry/contracts';

/** Matches URL paths in the same way as the rules of a robots.txt. */
export interface PathPattern {
  /** Length of the pattern in octets. Of several matching rules of a robots.txt, the longest decides. */
  readonly length: number;
  /** Returns whether a path matches. @param path with its query, as `getNormalizedPath` returns it */
  matches(path: string): boolean;
}

/**
 * Parses a path pattern (RFC 9309 section 2.2.3). A pattern matches from the start of a path with its query. `*`
 * matches any characters, and a final `$` matches the end of the path. Normalizes the percent-encoding of the pattern,
 * as `getNormalizedPath` does for paths.
 */
export function parsePathPattern(text: string): PathPattern {
  const rule = normalizePathEscapes(text);
  const anchored = rule.endsWith('$');
  const parts = (anchored ? rule.slice(0, -1) : rule).split('*');
  return { length: rule.length, matches: (path) => matchesPatternParts(parts, path, anchored) };
}

/**
 * Returns whether a path starts with the first part of a pattern, and contains the further parts in order. The parts
 * are the texts between the `*` of the pattern. Matches each part at its first possible position. If `anchored`, the
 * last part must end the path.
 */
function matchesPatternParts(parts: readonly string[], path: string, anchored: boolean): boolean {
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

/** Normalizes the percent-encoding of a path or a robots.txt rule, so that both can be compared. */
export function normalizePathEscapes(text: string): string {
  return normalizePercentEscapes(text.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent));
}

/** Returns the normalized path and query of a URL, for matching with patterns. */
export function getNormalizedPath(url: string): string {
  const { pathname, search } = new URL(url);
  return normalizePathEscapes(pathname + search);
}
