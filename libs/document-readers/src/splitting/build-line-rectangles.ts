import { joinPageRectangles, type PageRectangle, type TextRectangle } from '../readers/text-rectangle.js';

/** Maximum number of rectangles of a fragment. In a fragment with more lines, several lines share a rectangle. */
const MAX_RECTANGLES = 64;
/** Maximum page number that the fragment stores support. Rectangles on later pages are discarded. */
const MAX_PAGE = 65_535;

/** Builds the rectangles of a fragment from the rectangles of its words, in the form of `Fragment.rectangles`. */
export function buildLineRectangles(wordRectangles: readonly TextRectangle[]): readonly number[] {
  const lines = new Map<number, PageRectangle>();
  for (const rectangle of wordRectangles) {
    const line = lines.get(rectangle.line);
    lines.set(rectangle.line, line === undefined ? rectangle : joinPageRectangles(line, rectangle));
  }
  const rectangles = joinLinesToMaxRectangles([...lines.values()].filter(({ page }) => page <= MAX_PAGE));
  return rectangles.flatMap(({ page, left, top, right, bottom }) => [page, left, top, right - left, bottom - top]);
}

/**
 * Joins neighbouring lines until there are at most `MAX_RECTANGLES`: first lines of the same column, then lines of the
 * same page.
 */
function joinLinesToMaxRectangles(lines: readonly PageRectangle[]): readonly PageRectangle[] {
  if (lines.length <= MAX_RECTANGLES) return lines;
  for (const canJoin of [isBelowInColumn, areOnSamePage]) {
    for (let size = 2; size < 2 * lines.length; size *= 2) {
      const joined = joinNeighbouringLines(lines, size, canJoin);
      if (joined.length <= MAX_RECTANGLES) return joined;
    }
  }
  return joinNeighbouringLines(lines, lines.length, areOnSamePage).slice(0, MAX_RECTANGLES);
}

/** Joins neighbouring lines in groups of at most `size` lines. */
function joinNeighbouringLines(
  lines: readonly PageRectangle[],
  size: number,
  canJoin: (before: PageRectangle, line: PageRectangle) => boolean,
): readonly PageRectangle[] {
  const groups: { rectangle: PageRectangle; last: PageRectangle; size: number }[] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    if (group === undefined || group.size === size || !canJoin(group.last, line)) {
      groups.push({ rectangle: line, last: line, size: 1 });
    } else {
      group.rectangle = joinPageRectangles(group.rectangle, line);
      group.last = line;
      group.size += 1;
    }
  }
  return groups.map(({ rectangle }) => rectangle);
}

/** Returns whether `line` is below `before` in the same column. */
function isBelowInColumn(before: PageRectangle, line: PageRectangle): boolean {
  return areOnSamePage(before, line) && line.top >= before.top && line.left < before.right && before.left < line.right;
}

function areOnSamePage(before: PageRectangle, line: PageRectangle): boolean {
  return before.page === line.page;
}
