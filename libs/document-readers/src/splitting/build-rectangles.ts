import { joinPageBoxes, type PageBox, type TextBox } from '../readers/text-box.js';

/** Maximum number of rectangles of a fragment. With more lines, several lines share a rectangle. */
const MAX_RECTANGLES = 64;
/** Maximum page number that the stores support. */
const MAX_PAGE = 65_535;

/** Builds the rectangles of a fragment from the boxes of its words, in the form of `Fragment.rectangles`. */
export function buildRectangles(boxes: readonly TextBox[]): readonly number[] {
  const lines = new Map<number, PageBox>();
  for (const box of boxes) {
    const line = lines.get(box.line);
    lines.set(box.line, line === undefined ? box : joinPageBoxes(line, box));
  }
  const rectangles = limitRectangles([...lines.values()].filter(({ page }) => page <= MAX_PAGE));
  return rectangles.flatMap(({ page, left, top, right, bottom }) => [page, left, top, right - left, bottom - top]);
}

/** Joins neighbouring lines, first of the same column, then of the same page, until there are few enough. */
function limitRectangles(lines: readonly PageBox[]): readonly PageBox[] {
  if (lines.length <= MAX_RECTANGLES) return lines;
  for (const canJoin of [isBelow, isSamePage]) {
    for (let size = 2; size < 2 * lines.length; size *= 2) {
      const joined = joinNeighbours(lines, size, canJoin);
      if (joined.length <= MAX_RECTANGLES) return joined;
    }
  }
  return joinNeighbours(lines, lines.length, isSamePage).slice(0, MAX_RECTANGLES);
}

/** Joins groups of at most `size` lines. */
function joinNeighbours(
  lines: readonly PageBox[],
  size: number,
  canJoin: (before: PageBox, line: PageBox) => boolean,
): readonly PageBox[] {
  const groups: { box: PageBox; last: PageBox; size: number }[] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    if (group === undefined || group.size === size || !canJoin(group.last, line)) {
      groups.push({ box: line, last: line, size: 1 });
    } else {
      group.box = joinPageBoxes(group.box, line);
      group.last = line;
      group.size += 1;
    }
  }
  return groups.map(({ box }) => box);
}

/** Returns whether a line is below another in the same column. */
function isBelow(before: PageBox, line: PageBox): boolean {
  return isSamePage(before, line) && line.top >= before.top && line.left < before.right && before.left < line.right;
}

function isSamePage(before: PageBox, line: PageBox): boolean {
  return before.page === line.page;
}
