import { readCellFormats } from './cell-formats.js';
import type { PackageParts } from './package-parts.js';
import { readSharedStrings, decodeStringEscapes } from './shared-strings.js';
import type { RawCell } from './sheet-cells.js';

const NO_STYLES = '<styleSheet/>';
const NO_STRINGS = '<sst/>';

/** Creates a function that returns the displayed text of a cell. Source: ECMA-376, part 1, section 18.18.11. */
export function createCellFormatter(
  parts: PackageParts,
  workbook: string,
  from1904: boolean,
): (cell: RawCell) => string {
  const readWorkbookPart = (type: string): string | undefined => {
    const found = [...parts.getRelatedParts(workbook).values()].find((related) => related.type === type);
    return found === undefined ? undefined : parts.getText(found.name);
  };
  const strings = readSharedStrings(readWorkbookPart('sharedStrings') ?? NO_STRINGS);
  const readFormat = readCellFormats(readWorkbookPart('styles') ?? NO_STYLES, from1904);
  return ({ type, style, value }) => {
    switch (type) {
      case 's':
        return strings[Number(value)] ?? '';
      case 'b':
        return value === '1' || value === 'true' ? 'TRUE' : 'FALSE';
      // Omits an error value, such as #REF!, because it is not content.
      case 'e':
        return '';
      case 'd':
        return value.replace('T', ' ');
      case '':
      case 'n': {
        const number = Number(value);
        return Number.isFinite(number) ? readFormat(style)(number) : value;
      }
      default:
        return decodeStringEscapes(value);
    }
  };
}
