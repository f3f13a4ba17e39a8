import { getLineText, type Line } from './line.js';
import type { PageLine } from './line-paragraphs.js';

/** Maximum number of lines of a running head, and also of a running foot. */
const MAX_EDGE_LINES = 3;
/** Maximum share of the lines of a page in its running head, and also in its running foot. */
const MAX_EDGE_SHARE = 0.25;
const MIN_PAGES = 3;
const MIN_PAGE_SHARE = 0.2;

/**
 * Removes repeated running heads, running feet and page numbers: lines at the edges of many pages that differ only in
 * numbers. Keeps the first occurrence of each, so that searches find its words. Moves the first foot to the end, so
 * that it does not interrupt a sentence. Rows of a table over several pages also differ only in numbers. They are kept,
 * because most of them are not at the edges.
 */
export function removeRunningLines(pages: readonly (readonly Line[])[]): readonly PageLine[] {
  const isRunning = createRunningLineCheck(pages);
  const seen = new Set<string>();
  const remaining: PageLine[] = [];
  const feet: PageLine[] = [];
  for (const [index, lines] of pages.entries()) {
    const { head, foot } = selectEdgeLines(lines);
    for (const line of lines) {
      const key = createLineKey(line);
      const isRunningLine = (head.includes(line) || foot.includes(line)) && isRunning(key);
      if (isRunningLine && seen.has(key)) continue;
      if (isRunningLine) seen.add(key);
      (isRunningLine && foot.includes(line) ? feet : remaining).push({ ...line, page: index + 1 });
    }
  }
  return [...remaining, ...feet];
}

function createRunningLineCheck(pages: readonly (readonly Line[])[]): (key: string) => boolean {
  const counts = new Map<string, number>();
  const countsBetween = new Map<string, number>();
  for (const lines of pages) {
    const { head, foot } = selectEdgeLines(lines);
    const edge = new Set([...head, ...foot]);
    for (const key of new Set([...edge].map(createLineKey))) counts.set(key, (counts.get(key) ?? 0) + 1);
    for (const key of lines.filter((line) => !edge.has(line)).map(createLineKey))
      countsBetween.set(key, (countsBetween.get(key) ?? 0) + 1);
  }
  const minCount = Math.max(MIN_PAGES, pages.length * MIN_PAGE_SHARE);
  return (key) => {
    const count = counts.get(key) ?? 0;
    return count >= minCount && count > (countsBetween.get(key) ?? 0);
  };
}

function selectEdgeLines(lines: readonly Line[]): { readonly head: readonly Line[]; readonly foot: readonly Line[] } {
  const fromTop = lines.toSorted((one, other) => other.top - one.top);
  const size = Math.min(MAX_EDGE_LINES, Math.floor(lines.length * MAX_EDGE_SHARE));
  return { head: fromTop.slice(0, size), foot: fromTop.slice(fromTop.length - size) };
}

function createLineKey(line: Line): string {
  return getLineText(line).replace(/\d+|\b[ivxlc]+\b/gi, '#');
}
