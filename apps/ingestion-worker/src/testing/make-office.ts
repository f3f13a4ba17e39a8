import { strToU8, zipSync } from 'fflate';

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const CHART = `xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:r="${OFFICE}"`;
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** Parts of an office file, by name. */
export function archive(parts: Readonly<Record<string, string>>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(XML + text)])));
}

/** Says in an archive's directory that a part has so many bytes unpacked. Source of the form: APPNOTE.TXT 6.3.10, section 4.3.12. */
export function declareSize(archived: Uint8Array, name: string, size: number): Uint8Array {
  const bytes = Buffer.from(archived);
  const directoryEntry = bytes.lastIndexOf(name) - 46;
  bytes.writeUInt32LE(size, directoryEntry + 24);
  return bytes;
}

/** Relationships of a part: ids to a type's last word and a target. Source of the form: ECMA-376, part 2, section 9.3. */
export function relationships(targets: Readonly<Record<string, readonly [type: string, target: string]>>): string {
  const all = Object.entries(targets).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${RELATIONSHIPS}">${all.join('')}</Relationships>`;
}

/** A part of its own that a document refers to. */
export interface MadePart {
  /** The id by which it is known. */
  readonly id: string;
  readonly type: string;
  /** Beside the document, such as `comments.xml`. */
  readonly file: string;
  readonly xml: string;
}

/** @param body WordprocessingML inside `w:body` @param numbering inside `w:numbering` */
export function makeDocx(body: string, numbering = '', more: readonly MadePart[] = []): Uint8Array {
  const styles = ['Title', 'heading 1', 'heading 2'].map(
    (name) => `<w:style w:type="paragraph" w:styleId="${styleId(name)}"><w:name w:val="${name}"/></w:style>`,
  );
  return archive({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    '_rels/.rels': relationships({ r1: ['officeDocument', 'word/document.xml'] }),
    'word/_rels/document.xml.rels': relationships({
      r1: ['styles', 'styles.xml'],
      r2: ['numbering', 'numbering.xml'],
      ...Object.fromEntries(more.map(({ id, type, file }) => [id, [type, file]] as const)),
    }),
    ...Object.fromEntries(more.map(({ file, xml }) => [`word/${file}`, xml])),
    'word/styles.xml': `<w:styles ${WORD}>${styles.join('')}</w:styles>`,
    'word/numbering.xml': `<w:numbering ${WORD}>${numbering}</w:numbering>`,
    'word/document.xml': `<w:document ${WORD} ${MATH} ${CHART}><w:body>${body}</w:body></w:document>`,
  });
}

/** @param list the number and the level that the paragraph has in a list */
export function paragraph(text: string, style?: string, list?: readonly [numId: number, level: number]): string {
  const styled = style === undefined ? '' : `<w:pStyle w:val="${styleId(style)}"/>`;
  const listed =
    list === undefined ? '' : `<w:numPr><w:ilvl w:val="${list[1]}"/><w:numId w:val="${list[0]}"/></w:numPr>`;
  const properties = styled + listed === '' ? '' : `<w:pPr>${styled}${listed}</w:pPr>`;
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** A list of a Word document: what each of its levels looks like. */
export function wordList(id: number, levels: readonly (readonly [format: string, text: string])[]): string {
  const all = levels.map(
    ([format, text], level) =>
      `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`,
  );
  const list = `<w:abstractNum w:abstractNumId="${id}">${all.join('')}</w:abstractNum>`;
  return `${list}<w:num w:numId="${id}"><w:abstractNumId w:val="${id}"/></w:num>`;
}

export function wordTable(rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]): string => row.map((text) => `<w:tc>${paragraph(text)}</w:tc>`).join('');
  return `<w:tbl>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join('')}</w:tbl>`;
}

function styleId(name: string): string {
  return name.replace(/\s/g, '');
}

const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** A cell: text, a number, or a date as Excel counts it: days since 1899-12-30. */
export type SheetCell = string | number | { readonly days: number };

export interface MoreOfSheets {
  /** Names of sheets. */
  readonly hidden?: readonly string[];
  /** Ranges of merged cells by sheet. */
  readonly merges?: Readonly<Record<string, readonly string[]>>;
  /** What sheets refer to, by sheet. */
  readonly related?: Readonly<Record<string, readonly MadePart[]>>;
}

/** @param sheets rows of each sheet by its name; an empty row has no cells */
export function makeXlsx(
  sheets: Readonly<Record<string, readonly (readonly SheetCell[])[]>>,
  { hidden = [], merges = {}, related = {} }: MoreOfSheets = {},
): Uint8Array {
  const names = Object.keys(sheets);
  const parts = Object.entries(sheets).flatMap(([name, rows], index) => {
    const more = related[name] ?? [];
    return [
      [`xl/worksheets/sheet${index + 1}.xml`, sheetXml(rows, merges[name] ?? [])],
      [
        `xl/worksheets/_rels/sheet${index + 1}.xml.rels`,
        relationships(Object.fromEntries(more.map(({ id, type, file }) => [id, [type, file]] as const))),
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
  return archive({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relationships({ r1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/_rels/workbook.xml.rels': relationships({ ...Object.fromEntries(targets), styles: ['styles', 'styles.xml'] }),
    'xl/styles.xml': `<styleSheet xmlns="${SHEET}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/workbook.xml': `<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheets>${list.join('')}</sheets></workbook>`,
    ...Object.fromEntries(parts),
  });
}

function sheetXml(rows: readonly (readonly SheetCell[])[], merges: readonly string[]): string {
  const rowXml = (cells: readonly SheetCell[], row: number): string =>
    cells.length === 0
      ? ''
      : `<row r="${row}">${cells.map((cell, column) => cellXml(cell, `${letter(column)}${row}`)).join('')}</row>`;
  const merged = merges.map((range) => `<mergeCell ref="${range}"/>`).join('');
  const behind = merged === '' ? '' : `<mergeCells>${merged}</mergeCells>`;
  return `<worksheet xmlns="${SHEET}"><sheetData>${rows.map((cells, index) => rowXml(cells, index + 1)).join('')}</sheetData>${behind}</worksheet>`;
}

function cellXml(cell: SheetCell, reference: string): string {
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
  if (typeof cell === 'object') return `<c r="${reference}" s="1"><v>${cell.days}</v></c>`;
  return cell === '' ? '' : `<c r="${reference}" t="inlineStr"><is><t>${cell}</t></is></c>`;
}

function letter(column: number): string {
  return String.fromCharCode(65 + column);
}

const DRAWING = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
const SLIDE = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="${OFFICE}" ${DRAWING}`;

export interface MadeSlide {
  /** PresentationML inside `p:spTree`. */
  readonly shapes: string;
  readonly notes?: string;
  /** ChartML, which the slide knows as `chart`. */
  readonly chart?: string;
  /** PresentationML of `p:cmLst`. */
  readonly comments?: string;
  readonly hidden?: boolean;
}

/** Slides in the order given; the files' own numbers are the other way round. */
export function makePptx(slides: readonly MadeSlide[]): Uint8Array {
  const fileOf = (index: number): number => slides.length - index;
  const parts = slides.flatMap(({ shapes, notes, chart, comments, hidden }, index) => {
    const file = fileOf(index);
    const tree = (content: string): string => `<p:cSld><p:spTree>${content}</p:spTree></p:cSld>`;
    const related = relationships({
      ...(notes === undefined ? {} : { notes: ['notesSlide', `../notesSlides/notesSlide${file}.xml`] as const }),
      ...(chart === undefined ? {} : { chart: ['chart', `../charts/chart${file}.xml`] as const }),
      ...(comments === undefined ? {} : { comments: ['comments', `../comments/comment${file}.xml`] as const }),
    });
    return [
      [`ppt/slides/slide${file}.xml`, `<p:sld ${SLIDE}${hidden === true ? ' show="0"' : ''}>${tree(shapes)}</p:sld>`],
      [`ppt/slides/_rels/slide${file}.xml.rels`, related],
      ...(notes === undefined
        ? []
        : [
            [
              `ppt/notesSlides/notesSlide${file}.xml`,
              `<p:notes ${SLIDE}>${tree(textShape([notes], 'body'))}</p:notes>`,
            ],
          ]),
      ...(chart === undefined ? [] : [[`ppt/charts/chart${file}.xml`, chart]]),
      ...(comments === undefined ? [] : [[`ppt/comments/comment${file}.xml`, comments]]),
    ] as [string, string][];
  });
  const ids = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="r${index}"/>`);
  const targets = slides.map((_, index) => [`r${index}`, ['slide', `slides/slide${fileOf(index)}.xml`]] as const);
  return archive({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'ppt/presentation.xml': `<p:presentation ${SLIDE}><p:sldIdLst>${ids.join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships({
      ...Object.fromEntries(targets),
      authors: ['commentAuthors', 'commentAuthors.xml'],
    }),
    'ppt/commentAuthors.xml': `<p:cmAuthorLst ${SLIDE}><p:cmAuthor id="7" name="Ada"/></p:cmAuthorLst>`,
    ...Object.fromEntries(parts),
  });
}

/** @param placeholder what the shape is for, such as `title` */
export function textShape(
  lines: readonly (string | { readonly level: number; readonly text: string })[],
  placeholder?: string,
): string {
  const paragraphs = lines.map((line) => {
    const { level, text } = typeof line === 'string' ? { level: 0, text: line } : line;
    return `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${text}</a:t></a:r></a:p>`;
  });
  const role = placeholder === undefined ? '' : `<p:nvPr><p:ph type="${placeholder}"/></p:nvPr>`;
  return `<p:sp><p:nvSpPr>${role}</p:nvSpPr><p:txBody>${paragraphs.join('')}</p:txBody></p:sp>`;
}

/** ChartML of a bar chart: a name and a value a category for each series. */
export function makeChart(
  title: string,
  categories: readonly (string | number)[],
  series: Readonly<Record<string, readonly number[]>>,
): string {
  const points = (values: readonly (string | number)[]): string =>
    `<c:cache>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:cache>`;
  const all = Object.entries(series).map(
    ([name, values]) =>
      `<c:ser><c:tx>${points([name])}</c:tx><c:cat>${points(categories)}</c:cat><c:val>${points(values)}</c:val></c:ser>`,
  );
  return `<c:chartSpace ${CHART} ${DRAWING}><c:title><a:p><a:r><a:t>${title}</a:t></a:r></a:p></c:title><c:plotArea><c:bar3DChart>${all.join('')}</c:bar3DChart></c:plotArea></c:chartSpace>`;
}

const NAMESPACES = `${WORD} xmlns:r="${OFFICE}"`;

/** The paragraphs of a page's head or foot. */
export function wordPart(element: 'hdr' | 'ftr' | 'comments', content: string): string {
  return `<w:${element} ${NAMESPACES}>${content}</w:${element}>`;
}
