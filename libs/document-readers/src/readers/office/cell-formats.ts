import { createNumberFormatter, type NumberFormatter } from './number-format.js';
import { formatNumber } from './format-number.js';
import { removePrefix, parseXmlEvents } from './xml.js';

/**
 * Maps the ids of the built-in number formats to their patterns, which files do not contain. The date formats of East
 * Asia share one pattern. Source: ECMA-376, part 1, section 18.8.30.
 */
const BUILT_IN_FORMATS = new Map<number, string>([
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
  ...[14, 15, 16, 17, ...listIntegers(27, 31), 36, ...listIntegers(50, 54), 57, 58].map(
    (id) => [id, 'yyyy-mm-dd'] as const,
  ),
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

function listIntegers(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/**
 * Reads the number formats of cells.
 *
 * @param styles XML of the styles part
 * @param from1904 true if day 0 is in 1904, false if it is in 1900
 * @returns a function that returns the formatter of a cell style. Source: ECMA-376, part 1, section 18.8.10
 */
export function readCellFormats(styles: string, from1904: boolean): (style: number) => NumberFormatter {
  const patterns = new Map(BUILT_IN_FORMATS);
  const formatOfStyle: number[] = [];
  let isCells = false;
  parseXmlEvents(styles, {
    open: (name, attributes) => {
      const local = removePrefix(name);
      if (local === 'cellXfs') isCells = true;
      else if (local === 'numFmt') patterns.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? 'General');
      else if (local === 'xf' && isCells) formatOfStyle.push(Number(attributes['numFmtId'] ?? 0));
    },
    text: () => undefined,
    close: (name) => {
      if (removePrefix(name) === 'cellXfs') isCells = false;
    },
  });
  const formatters = new Map<number, NumberFormatter>();
  return (style) => {
    const id = formatOfStyle[style] ?? 0;
    const found = formatters.get(id) ?? createStyleFormatter(patterns.get(id), from1904);
    formatters.set(id, found);
    return found;
  };
}

function createStyleFormatter(pattern: string | undefined, from1904: boolean): NumberFormatter {
  return pattern === undefined ? formatNumber : createNumberFormatter(pattern, from1904);
}
