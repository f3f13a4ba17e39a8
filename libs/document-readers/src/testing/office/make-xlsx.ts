import { createArchive, OFFICE, createRelationships, type MadePart } from './package.js';

const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/**
 * Describes a cell: a text, a number, a number with a format, a date in days since 1899-12-30, or a value of another
 * type.
 */
type SheetCell =
  | string
  | number
  | { readonly days: number }
  | { readonly value: number; readonly format: string }
  | { readonly value: string; readonly type: string };

interface XlsxOptions {
  /** Names of hidden sheets. */
  readonly hidden?: readonly string[];
  /** Ranges of merged cells, keyed by sheet name. */
  readonly merges?: Readonly<Record<string, readonly string[]>>;
  readonly from1904?: boolean;
  /** Additional parts of a sheet, keyed by sheet name. */
  readonly related?: Readonly<Record<string, readonly MadePart[]>>;
}

/** Creates a workbook. @param sheets maps the name of each sheet to its rows; an empty row has no cells */
export function makeXlsx(
  sheets: Readonly<Record<string, readonly (readonly SheetCell[])[]>>,
  { hidden = [], merges = {}, related = {}, from1904 = false }: XlsxOptions = {},
): Uint8Array {
  const names = Object.keys(sheets);
  const formats = [...new Set(Object.values(sheets).flat(2).flatMap(listCellFormats))];
  const parts = Object.entries(sheets).flatMap(([name, rows], index) => {
    const more = related[name] ?? [];
    return [
      [`xl/worksheets/sheet${index + 1}.xml`, createSheet(rows, merges[name] ?? [], formats)],
      [
        `xl/worksheets/_rels/sheet${index + 1}.xml.rels`,
        createRelationships(Object.fromEntries(more.map(({ id, type, file }) => [id, [type, file]] as const))),
      ],
      ...more.map(({ file, xml }) => [`xl/worksheets/${file}`, xml] as const),
    ] as const;
  });
  const targets = names.map(
    (_, index) => [`r${index + 1}`, ['worksheet', `worksheets/sheet${index + 1}.xml`]] as const,
  );
  const list = names.map(
    (name, index) =>
      `<sheet name="${name}"${hidden.includes(name) ? ' state="hidden"' : ''} sheetId="${index + 1}" r:id="r${index + 1}"/>`,
  );
  return createArchive({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': createRelationships({ r1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/_rels/workbook.xml.rels': createRelationships({
      ...Object.fromEntries(targets),
      styles: ['styles', 'styles.xml'],
    }),
    'xl/styles.xml': createStyles(formats),
    'xl/workbook.xml': `<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><workbookPr date1904="${from1904 ? 1 : 0}"/><sheets>${list.join('')}</sheets></workbook>`,
    ...Object.fromEntries(parts),
  });
}

const PLAIN_STYLES = ['<xf numFmtId="0"/>', '<xf numFmtId="14" applyNumberFormat="1"/>'];
/** First id for custom number formats. */
const OWN_FORMATS = 164;

function listCellFormats(cell: SheetCell): readonly string[] {
  return typeof cell === 'object' && 'format' in cell ? [cell.format] : [];
}

function createStyles(formats: readonly string[]): string {
  const own = formats.map(
    (format, index) => `<numFmt numFmtId="${OWN_FORMATS + index}" formatCode="${format.replaceAll('"', '&quot;')}"/>`,
  );
  const styles = [...PLAIN_STYLES, ...formats.map((_, index) => `<xf numFmtId="${OWN_FORMATS + index}"/>`)];
  return `<styleSheet xmlns="${SHEET}"><numFmts>${own.join('')}</numFmts><cellXfs>${styles.join('')}</cellXfs></styleSheet>`;
}

function createSheet(
  rows: readonly (readonly SheetCell[])[],
  merges: readonly string[],
  formats: readonly string[],
): string {
  const createRow = (cells: readonly SheetCell[], row: number): string =>
    cells.length === 0
      ? ''
      : `<row r="${row}">${cells.map((cell, column) => createCell(cell, `${formatColumnLetter(column)}${row}`, formats)).join('')}</row>`;
  const merged = merges.map((range) => `<mergeCell ref="${range}"/>`).join('');
  const behind = merged === '' ? '' : `<mergeCells>${merged}</mergeCells>`;
  return `<worksheet xmlns="${SHEET}"><sheetData>${rows.map((cells, index) => createRow(cells, index + 1)).join('')}</sheetData>${behind}</worksheet>`;
}

function createCell(cell: SheetCell, reference: string, formats: readonly string[]): string {
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
  if (typeof cell === 'object') {
    if ('days' in cell) return `<c r="${reference}" s="1"><v>${cell.days}</v></c>`;
    if ('type' in cell) return `<c r="${reference}" t="${cell.type}"><v>${cell.value}</v></c>`;
    return `<c r="${reference}" s="${PLAIN_STYLES.length + formats.indexOf(cell.format)}"><v>${cell.value}</v></c>`;
  }
  return cell === '' ? '' : `<c r="${reference}" t="inlineStr"><is><t>${cell}</t></is></c>`;
}

function formatColumnLetter(column: number): string {
  return String.fromCharCode(65 + column);
}
