import { getLineText, type Line } from './line.js';
import type { PageLine } from './line-paragraphs.js';
import { createPageNumberFinder, maskNumbers } from './page-numbers.js';

/** Maximum number of lines of a running head, and also of a running foot. */
const MAX_EDGE_LINES = 3;
/** Maximum share of the lines of a page in its running head, and also in its running foot. */
const MAX_EDGE_SHARE = 0.25;
const MIN_PAGES = 3;
const MIN_PAGE_SHARE = 0.2;

/**
 * Removes repeated running heads, running feet and page numbers: lines at the edges of many pages that differ only in
 * page numbers. Keeps the first occurrence of each line, so that searches find its words. Moves the first occurrence of
 * a foot to the end of the document, so that the foot does not interrupt a sentence. A foot with other numbers on each
 * page, such as `Invoice 1001`, stays on its page. Rows of a table over several pages differ only in numbers, too, but
 * remain, because most of these rows are not at the edges of pages.
 */
export function removeRunningLines(pages: readonly (readonly Line[])[]): readonly PageLine[] {
  const edges = pages.map(selectEdgeLines);
  const keys = createRunningLineKeys(pages, edges);
  const counts = countKeys([...keys.values()]);
  const seen = new Set<string>();
  const remaining: PageLine[] = [];
  const feet: PageLine[] = [];
  for (const [index, lines] of pages.entries()) {
    for (const line of lines) {
      const key = keys.get(line);
      if (key !== undefined && seen.has(key)) continue;
      if (key !== undefined) seen.add(key);
      const isRunningFoot = edges[index]?.foot.includes(line) === true && (counts.get(key ?? '') ?? 0) > 1;
      if (isRunningFoot) feet.push({ ...line, page: index + 1, isMovedFoot: true });
      else remaining.push({ ...line, page: index + 1 });
    }
  }
  return [...remaining, ...feet];
}

/**
 * Maps each running line to its text without page numbers, which is the same for all repetitions of a running line. A
 * line with a page number is a running line even if few pages repeat it, such as the head of a chapter.
 */
function createRunningLineKeys(
  pages: readonly (readonly Line[])[],
  edges: readonly PageEdges[],
): ReadonlyMap<Line, string> {
  const isFrequent = createFrequentLineCheck(pages, edges);
  const lines = edges.map(({ head, foot }) => [...head, ...foot]);
  const pageNumbers = createPageNumberFinder(lines.map((onPage) => onPage.map(getLineText)));
  return new Map(
    lines.flatMap((onPage, index) =>
      onPage
        .filter((line) => isFrequent(line) || pageNumbers.isCountingPages(getLineText(line), index))
        .map((line) => [line, pageNumbers.maskPageNumbers(getLineText(line), index)] as const),
    ),
  );
}

interface PageEdges {
  readonly head: readonly Line[];
  readonly foot: readonly Line[];
}

function createFrequentLineCheck(
  pages: readonly (readonly Line[])[],
  edges: readonly PageEdges[],
): (line: Line) => boolean {
  const counts = countKeys(edges.flatMap(({ head, foot }) => [...new Set([...head, ...foot].map(createLineKey))]));
  const between = pages.flatMap((lines, index) => {
    const { head = [], foot = [] } = edges[index] ?? {};
    return lines.filter((line) => !head.includes(line) && !foot.includes(line));
  });
  const countsBetween = countKeys(between.map(createLineKey));
  const minCount = Math.max(MIN_PAGES, pages.length * MIN_PAGE_SHARE);
  return (line) => {
    const key = createLineKey(line);
    const count = counts.get(key) ?? 0;
    return count >= minCount && count > (countsBetween.get(key) ?? 0);
  };
}

function selectEdgeLines(lines: readonly Line[]): PageEdges {
  const fromTop = lines.toSorted((one, other) => other.top - one.top);
  const size = Math.min(MAX_EDGE_LINES, Math.floor(lines.length * MAX_EDGE_SHARE));
  return { head: fromTop.slice(0, size), foot: fromTop.slice(fromTop.length - size) };
}

function createLineKey(line: Line): string {
  return maskNumbers(getLineText(line));
}

function countKeys(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
