import { textOf, type Line } from './line.js';
import type { PageLine } from './line-paragraphs.js';

/** How many lines at the top and at the bottom of a page can be its running head or foot, and what share of all its lines. */
const EDGE = 3;
const EDGE_SHARE = 0.25;
const MIN_PAGES = 3;
const MIN_SHARE = 0.2;

/**
 * Leaves out running heads, feet and page numbers: lines at the edge of many pages that differ in their numbers at most.
 * Each is kept once, so that its words can be found: a head where it stands first, a foot behind everything else, where it
 * is not between the halves of a sentence. The rows of a table over several pages differ in their numbers at most, too; but
 * more of them stand between the edges than at them.
 */
export function withoutRunningLines(pages: readonly (readonly Line[])[]): readonly PageLine[] {
  const isRunning = runningLines(pages);
  const seen = new Set<string>();
  const kept: PageLine[] = [];
  const feet: PageLine[] = [];
  for (const [index, lines] of pages.entries()) {
    const { head, foot } = edges(lines);
    for (const line of lines) {
      const key = keyOf(line);
      const runs = (head.includes(line) || foot.includes(line)) && isRunning(key);
      if (runs && seen.has(key)) continue;
      if (runs) seen.add(key);
      (runs && foot.includes(line) ? feet : kept).push({ ...line, page: index + 1 });
    }
  }
  return [...kept, ...feet];
}

function runningLines(pages: readonly (readonly Line[])[]): (key: string) => boolean {
  const counts = new Map<string, number>();
  const between = new Map<string, number>();
  for (const lines of pages) {
    const { head, foot } = edges(lines);
    const edge = new Set([...head, ...foot]);
    for (const key of new Set([...edge].map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
    for (const key of lines.filter((line) => !edge.has(line)).map(keyOf)) between.set(key, (between.get(key) ?? 0) + 1);
  }
  const enough = Math.max(MIN_PAGES, pages.length * MIN_SHARE);
  return (key) => {
    const count = counts.get(key) ?? 0;
    return count >= enough && count > (between.get(key) ?? 0);
  };
}

function edges(lines: readonly Line[]): { readonly head: readonly Line[]; readonly foot: readonly Line[] } {
  const fromTop = lines.toSorted((one, other) => other.top - one.top);
  const size = Math.min(EDGE, Math.floor(lines.length * EDGE_SHARE));
  return { head: fromTop.slice(0, size), foot: fromTop.slice(fromTop.length - size) };
}

function keyOf(line: Line): string {
  return textOf(line).replace(/\d+|\b[ivxlc]+\b/gi, '#');
}
