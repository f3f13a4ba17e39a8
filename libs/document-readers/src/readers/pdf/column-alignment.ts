import type { Glyph } from './glyphs.js';

/** Minimum width of a gap between cells, in ems. Most spaces between words are narrower. */
const MIN_GAP = 0.5;
/**
 * Maximum difference between the left edges of the cells of a column, in ems. Words of prose rarely align over four
 * lines.
 */
const ALIGNMENT_TOLERANCE = 0.08;
const MIN_ROWS = 4;
/**
 * Minimum number of characters before the first gap of a line. A shorter text before a gap is a list marker, and not a
 * cell.
 */
const MIN_FIRST_CELL_CHARACTERS = 3;

interface Gap {
  readonly from: number;
  readonly to: number;
}

/** Describes gaps in consecutive lines. The text after each of these gaps begins at the same horizontal position. */
interface AlignedGaps {
  readonly gaps: { readonly line: number; readonly gap: Gap }[];
}

/**
 * Finds gaps between left-aligned table cells that are too narrow for `buildLine` to detect.
 *
 * @param lines the visible glyphs of each line
 * @returns for each line, the horizontal positions at which to cut it into cells, in points
 */
export function findColumnCuts(lines: readonly (readonly Glyph[])[]): readonly (readonly number[])[] {
  const cuts = lines.map((): number[] => []);
  let open: AlignedGaps[] = [];
  for (const [line, glyphs] of lines.entries()) {
    const size = glyphs[0]?.size ?? 0;
    const gaps = findGlyphGaps(glyphs, size);
    const continued: AlignedGaps[] = [];
    for (const gap of gaps) {
      const aligned = open.find(
        ({ gaps: found }) => Math.abs((found.at(-1)?.gap.to ?? 0) - gap.to) < ALIGNMENT_TOLERANCE * size,
      );
      const extended = aligned ?? { gaps: [] };
      extended.gaps.push({ line, gap });
      continued.push(extended);
    }
    for (const ended of open) if (!continued.includes(ended)) addColumnCuts(ended, cuts);
    open = continued;
  }
  for (const ended of open) addColumnCuts(ended, cuts);
  return cuts;
}

function addColumnCuts({ gaps }: AlignedGaps, cuts: readonly number[][]): void {
  if (gaps.length < MIN_ROWS) return;
  for (const { line, gap } of gaps) cuts[line]?.push((gap.from + gap.to) / 2);
}

/** Returns the gaps between the glyphs of a line that are wider than `MIN_GAP`, from left to right. */
function findGlyphGaps(visible: readonly Glyph[], size: number): readonly Gap[] {
  const gaps: Gap[] = [];
  let end = Infinity;
  let characters = 0;
  for (const glyph of visible.toSorted((one, other) => one.left - other.left)) {
    if (glyph.left - end > MIN_GAP * size && characters >= MIN_FIRST_CELL_CHARACTERS)
      gaps.push({ from: end, to: glyph.left });
    end = Math.max(glyph.right, end === Infinity ? -Infinity : end);
    characters += 1;
  }
  return gaps;
}
