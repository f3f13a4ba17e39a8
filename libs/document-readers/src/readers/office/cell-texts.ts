import { cellFormats } from './cell-formats.js';
import type { PackageParts } from './package-parts.js';
import { sharedStrings, unescaped } from './shared-strings.js';
import type { WrittenCell } from './sheet-cells.js';

const NO_STYLES = '<styleSheet/>';
const NO_STRINGS = '<sst/>';

/** What the cells of a workbook say, as a person reads it. Source: ECMA-376, part 1, section 18.18.11. */
export function cellTexts(parts: PackageParts, workbook: string, from1904: boolean): (cell: WrittenCell) => string {
  const part = (type: string): string | undefined => {
    const found = [...parts.relatedTo(workbook).values()].find((related) => related.type === type);
    return found === undefined ? undefined : parts.text(found.name);
  };
  const strings = sharedStrings(part('sharedStrings') ?? NO_STRINGS);
  const formatOf = cellFormats(part('styles') ?? NO_STYLES, from1904);
  return ({ type, style, value }) => {
    switch (type) {
      case 's':
        return strings[Number(value)] ?? '';
      case 'b':
        return value === '1' || value === 'true' ? 'TRUE' : 'FALSE';
      // What went wrong in a formula says nothing about what the sheet is about.
      case 'e':
        return '';
      case 'd':
        return value.replace('T', ' ');
      case '':
      case 'n': {
        const number = Number(value);
        return Number.isFinite(number) ? formatOf(style)(number) : value;
      }
      default:
        return unescaped(value);
    }
  };
}
