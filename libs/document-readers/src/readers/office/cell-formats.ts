import { numberText, type NumberText } from './cell-format.js';
import { plainNumber } from './plain-number.js';
import { localName, walkXml } from './xml.js';

/** The formats that files do not write out. Those of dates in East Asia count as one. Source: ECMA-376, part 1, section 18.8.30. */
const KNOWN_FORMATS = new Map<number, string>([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [5, '$#,##0'],
  [6, '$#,##0'],
  [7, '$#,##0.00'],
  [8, '$#,##0.00'],
  [9, '0%'],
  [10, '0.00%'],
  ...[14, 15, 16, 17, ...between(27, 31), 36, ...between(50, 54), 57, 58].map((id) => [id, 'yyyy-mm-dd'] as const),
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'yyyy-mm-dd h:mm'],
  ...[32, 34, 55].map((id) => [id, 'h:mm'] as const),
  ...[33, 35, 56].map((id) => [id, 'h:mm:ss'] as const),
  [42, '$#,##0'],
  [44, '$#,##0.00'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss.0'],
]);

function between(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/**
 * What the numbers of cells look like.
 *
 * @param styles the part, as it is written @param from1904 whether days are counted from 1904 on
 * @returns by the index that cells name. Source: ECMA-376, part 1, section 18.8.10
 */
export function cellFormats(styles: string, from1904: boolean): (style: number) => NumberText {
  const patterns = new Map(KNOWN_FORMATS);
  const formatOfStyle: number[] = [];
  let isCells = false;
  walkXml(styles, {
    open: (name, attributes) => {
      const local = localName(name);
      if (local === 'cellXfs') isCells = true;
      else if (local === 'numFmt') patterns.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? 'General');
      else if (local === 'xf' && isCells) formatOfStyle.push(Number(attributes['numFmtId'] ?? 0));
    },
    text: () => undefined,
    close: (name) => {
      if (localName(name) === 'cellXfs') isCells = false;
    },
  });
  const known = new Map<number, NumberText>();
  return (style) => {
    const id = formatOfStyle[style] ?? 0;
    const found = known.get(id) ?? textOf(patterns.get(id), from1904);
    known.set(id, found);
    return found;
  };
}

function textOf(pattern: string | undefined, from1904: boolean): NumberText {
  return pattern === undefined ? plainNumber : numberText(pattern, from1904);
}
