import { isRow } from './line.js';
import type { PageLine } from './line-paragraphs.js';
import { cellsOf } from './row-cells.js';
import { looksLikeNames } from './table-of-lines.js';

/** What stands between the names of a table's columns and its rows: a heading, and that of a part. */
const MOST_BETWEEN = 3;
const MOST_NAMES = 5;

interface Lines {
  readonly lines: readonly PageLine[];
}

/**
 * A statement's columns are named once, above the headings of its parts: the names become the first rows of each part's table.
 *
 * @param isTable of a paragraph @param join of the names and the rows below them
 * @returns the paragraphs without the names that stand in tables now
 */
export function withNamesFromAbove<P extends Lines>(
  paragraphs: readonly P[],
  isTable: (paragraph: P) => boolean,
  join: (names: P, rows: P) => P,
): readonly P[] {
  const result: P[] = [];
  let names: { readonly paragraph: P; readonly place: number; isUsed: boolean } | undefined;
  let between = 0;
  for (const paragraph of paragraphs) {
    if (names !== undefined && isTable(paragraph) && areNamesOf(names.paragraph, paragraph)) {
      result.push(join(names.paragraph, paragraph));
      if (!names.isUsed) result.splice(names.place, 1);
      names.isUsed = true;
      between = 0;
      continue;
    }
    between += 1;
    if (paragraph.lines.length <= MOST_NAMES && paragraph.lines.every(isRow)) {
      names = { paragraph, place: result.length, isUsed: false };
      between = 0;
    } else if (isTable(paragraph) || between > MOST_BETWEEN) names = undefined;
    result.push(paragraph);
  }
  return result;
}

/** One for each column but the first, in every line, above rows that have no names of their own. */
function areNamesOf({ lines: names }: Lines, { lines: rows }: Lines): boolean {
  const [name] = names;
  const [row] = rows;
  if (name?.page !== row?.page || (name?.bottom ?? 0) < (row?.top ?? 0)) return false;
  const cells = cellsOf([...names, ...rows]);
  if (cells?.above !== names.length || looksLikeNames(cells.rows.slice(names.length))) return false;
  return names.every(({ segments }) => segments.length + 1 === cells.rows[0]?.length);
}
