import type { Glyph } from './glyphs.js';

/** In ems: more than most spaces between two words. */
const NARROW_GAP = 0.5;
/** In ems: how exactly the cells of a column begin below each other. In prose, words do so over four lines in no page of a hundred. */
const ALIGNED = 0.08;
const MIN_ROWS = 4;
/** What stands in front of a list's items is no cell. */
const MIN_FIRST_CELL = 3;

interface Gap {
  readonly from: number;
  readonly to: number;
}

/** A gap in one line after the other, behind which the text begins at the same place. */
interface Corridor {
  readonly gaps: { readonly line: number; readonly gap: Gap }[];
}

/**
 * Columns that stand closer than the cells of most tables are told by their beginnings, which stand below each other.
 *
 * @param lines the drawn characters of each
 * @returns where each line is to be cut, in points
 */
export function cutsOfColumns(lines: readonly (readonly Glyph[])[]): readonly (readonly number[])[] {
  const cuts = lines.map((): number[] => []);
  let open: Corridor[] = [];
  for (const [line, glyphs] of lines.entries()) {
    const size = glyphs[0]?.size ?? 0;
    const gaps = gapsOf(glyphs, size);
    const going: Corridor[] = [];
    for (const gap of gaps) {
      const corridor = open.find(({ gaps: found }) => Math.abs((found.at(-1)?.gap.to ?? 0) - gap.to) < ALIGNED * size);
      const longer = corridor ?? { gaps: [] };
      longer.gaps.push({ line, gap });
      going.push(longer);
    }
    for (const ended of open) if (!going.includes(ended)) cut(ended, cuts);
    open = going;
  }
  for (const ended of open) cut(ended, cuts);
  return cuts;
}

function cut({ gaps }: Corridor, cuts: readonly number[][]): void {
  if (gaps.length < MIN_ROWS) return;
  for (const { line, gap } of gaps) cuts[line]?.push((gap.from + gap.to) / 2);
}

/** From left to right. */
function gapsOf(drawn: readonly Glyph[], size: number): readonly Gap[] {
  const gaps: Gap[] = [];
  let end = Infinity;
  let characters = 0;
  for (const glyph of drawn.toSorted((one, other) => one.left - other.left)) {
    if (glyph.left - end > NARROW_GAP * size && characters >= MIN_FIRST_CELL) gaps.push({ from: end, to: glyph.left });
    end = Math.max(glyph.right, end === Infinity ? -Infinity : end);
    characters += 1;
  }
  return gaps;
}
