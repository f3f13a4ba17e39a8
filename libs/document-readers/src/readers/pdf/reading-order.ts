import { columnsOfProse, type Place } from './columns-of-prose.js';
import type { Line } from './line.js';
import type { Segment } from './segment.js';

/** Of the lines in columns: how often the next one stands in another column, where columns are not read one after the other. */
const MOST_SWITCHES = 0.25;

/**
 * The content of most pages is in reading order already. In some, columns are drawn line by line across the page: then
 * each is read down to the next line that spans several.
 */
export function inReadingOrder(lines: readonly Line[]): readonly Line[] {
  const placeOf = columnsOfProse(lines);
  if (placeOf === undefined) return lines;
  const places = lines.flatMap(({ segments }) => segments.map(placeOf)).filter((place) => typeof place === 'number');
  const switches = places.filter((place, index) => index > 0 && place !== places[index - 1]).length;
  return switches > MOST_SWITCHES * places.length ? byColumn(lines, placeOf) : lines;
}

function byColumn(lines: readonly Line[], placeOf: (segment: Segment) => Place): readonly Line[] {
  const ordered: Line[] = [];
  let columns: Line[][] = [];
  for (const line of lines) {
    const places = line.segments.map(placeOf);
    if (places.includes('several')) {
      ordered.push(...columns.flat(), line);
      columns = [];
      continue;
    }
    for (const place of new Set(places.filter((one) => one !== 'several'))) {
      (columns[place] ??= []).push(part(line, (_, index) => places[index] === place));
    }
  }
  return [...ordered, ...columns.flat()];
}

function part(line: Line, isOfIt: (segment: Segment, index: number) => boolean): Line {
  const segments = line.segments.filter(isOfIt);
  return {
    ...line,
    segments,
    left: Math.min(...segments.map((segment) => segment.left)),
    right: Math.max(...segments.map((segment) => segment.right)),
    hyphenated: line.hyphenated && segments.at(-1) === line.segments.at(-1),
  };
}
