import type { Block, BlockKind } from '../block.js';
import { normalizeForStorage } from '../normalize-for-storage.js';
import type { HeadingPath } from '../heading-path.js';
import { isHeaderRow, createTableBlocks } from '../tables/format-table.js';
import { CellGrid } from '../tables/cell-grid.js';
import { BlockText } from './block-text.js';

/** Lists elements whose text is not displayed. */
const HIDDEN = new Set(['script', 'style', 'head', 'template', 'noscript', 'svg']);
/** Lists inline elements. Every other element begins and ends a block. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const VOID = new Set(['br', 'img', 'input']);
const HEADING = /^h([1-6])$/;
const SPACE_BEFORE_LINE_END = /(?<![^\S\n])[^\S\n]+(?=\n)/g;
/**
 * Value of the attribute `class` of the heading that is the title of the document. In heading paths, the title is above
 * all headings.
 */
export const TITLE_CLASS = 'document-title';

type Attributes = Readonly<Record<string, string>>;

interface OpenList {
  readonly ordered: boolean;
  /** Number of displayed lists that contain this list. */
  depth: number;
  items: number;
  /** True if the lists in the current item take the place of the item, because it has no other text. */
  isItemReplaced: boolean;
}

/** Builds blocks from the tags and texts of an HTML document, in their order. */
export class HtmlBlockBuilder {
  readonly #blocks: Block[] = [];
  readonly #headings: HeadingPath;
  readonly #lists: OpenList[] = [];
  readonly #text = new BlockText();
  /** The outermost open table. Undefined outside of tables. A table inside a cell becomes text of the cell. */
  #table: CellGrid | undefined;
  #tableDepth = 0;
  #cell: Attributes = {};
  #hiddenDepth = 0;
  #preformattedDepth = 0;

  constructor(headings: HeadingPath) {
    this.#headings = headings;
  }

  openElement(name: string, attributes: Attributes): void {
    // A `body` tag ends hidden elements such as `head`, because HTML allows omitting `</head>`.
    if (name === 'body') this.#hiddenDepth = 0;
    if (HIDDEN.has(name)) this.#hiddenDepth += 1;
    else if (name === 'br') this.#text.append('\n');
    else if (name === 'img') this.#text.append(attributes['alt'] ?? '');
    else if (name === 'input') this.#text.append(formatCheckbox(attributes));
    else if (name === 'a') this.#text.openLink(attributes['href'] ?? '');
    else if (name === 'table') this.#openTable();
    else if (this.#table !== undefined) this.#openTableElement(name, attributes);
    else if (name === 'ul' || name === 'ol') this.#openList(name === 'ol');
    else if (name === 'li') this.#openListItem();
    else if (HEADING.test(name)) this.#addBufferAsBlock();
    else if (name === 'pre') this.#openPreformatted();
    else if (!INLINE.has(name)) this.#endLine();
    if (attributes['class'] === TITLE_CLASS) this.#isTitle = true;
  }

  addText(text: string): void {
    if (this.#hiddenDepth > 0) return;
    this.#text.append(this.#preformattedDepth > 0 ? text : text.replace(/\s+/g, ' '));
  }

  closeElement(name: string): void {
    const level = HEADING.exec(name)?.[1];
    if (HIDDEN.has(name)) this.#hiddenDepth = Math.max(0, this.#hiddenDepth - 1);
    else if (name === 'a') this.#text.closeLink();
    else if (name === 'table') this.#closeTable();
    else if (this.#table !== undefined) this.#closeTableElement(name);
    else if (name === 'ul' || name === 'ol') this.#closeList();
    else if (level !== undefined) this.#closeHeading(Number(level));
    else if (name === 'pre') this.#closePreformatted();
    else if (!INLINE.has(name) && !VOID.has(name)) this.#endLine();
  }

  endDocument(): readonly Block[] {
    while (this.#table !== undefined) this.#closeTable();
    this.#lists.splice(0);
    this.#addBufferAsBlock();
    return this.#blocks;
  }

  #isTitle = false;

  #closeHeading(level: number): void {
    const text = this.#takeBufferedText().replace(/\s+/g, ' ');
    const rank = this.#isTitle ? 0 : level;
    this.#isTitle = false;
    if (text === '') return;
    this.#headings.enterHeading(rank, text);
    this.#addBlock('heading', text, { level: Math.max(1, rank) });
  }

  #openList(ordered: boolean): void {
    const outer = this.#lists.at(-1);
    if (outer === undefined) this.#addBufferAsBlock();
    const depth = outer === undefined ? 0 : outer.depth + (outer.isItemReplaced ? 0 : 1);
    this.#lists.push({ ordered, depth, items: 0, isItemReplaced: false });
  }

  #openListItem(): void {
    const list = this.#lists.at(-1);
    if (list === undefined) {
      this.#endLine();
      return;
    }
    const outer = this.#lists.at(-2);
    // A list in an item without other text takes the place of the item. For example, Word skips levels of lists.
    if (this.#text.dropEmptyItem() && list.items === 0 && outer !== undefined) {
      outer.isItemReplaced = true;
      list.depth = outer.depth;
    }
    list.isItemReplaced = false;
    list.items += 1;
    const start = `\n${'  '.repeat(list.depth)}${list.ordered ? `${list.items}.` : '-'} `;
    this.#text.startItem(start);
  }

  #closeList(): void {
    const closed = this.#lists.pop();
    // If the closed list has no items, the last marker in the buffer belongs to the item that contains the list, and
    // stays.
    const isDropped = closed !== undefined && closed.items > 0 && this.#text.dropEmptyItem();
    if (this.#lists.length === 0) this.#addBufferAsBlock('list');
    else if (isDropped) this.#endLine();
  }

  #openPreformatted(): void {
    if (this.#lists.length === 0) this.#addBufferAsBlock();
    this.#preformattedDepth += 1;
  }

  #closePreformatted(): void {
    this.#preformattedDepth = Math.max(0, this.#preformattedDepth - 1);
    if (this.#lists.length === 0) this.#addBufferAsBlock('code');
  }

  #openTable(): void {
    this.#tableDepth += 1;
    if (this.#tableDepth > 1) return;
    this.#text.dropEmptyItem();
    this.#addBufferAsBlock(this.#lists.length > 0 ? 'list' : 'text');
    this.#table = new CellGrid();
  }

  #openTableElement(name: string, attributes: Attributes): void {
    if (this.#tableDepth > 1 || INLINE.has(name)) this.#text.append(INLINE.has(name) ? '' : ' ');
    else if (name === 'tr') this.#table?.startRow();
    else if (name === 'td' || name === 'th') {
      this.#text.clearLine();
      this.#cell = attributes;
    } else this.#text.append(' ');
  }

  #closeTableElement(name: string): void {
    const isCell = this.#tableDepth === 1 && (name === 'td' || name === 'th');
    if (!isCell) {
      if (this.#tableDepth === 1 && name === 'caption') this.#addBufferAsBlock();
      if (!INLINE.has(name)) this.#text.append(' ');
      return;
    }
    const span = { columns: this.#cell['colspan'], rows: this.#cell['rowspan'] };
    this.#table?.addCell(this.#takeBufferedText(), span, name === 'th');
  }

  #closeTable(): void {
    this.#tableDepth = Math.max(0, this.#tableDepth - 1);
    if (this.#tableDepth > 0 || this.#table === undefined) return;
    const rows = this.#table.grid.filter((row) => row.some((cell) => cell.trim() !== ''));
    const hasHeader = this.#table.isFirstRowHeader || isHeaderRow(rows);
    this.#table = undefined;
    this.#text.clearLine();
    const position = { headingPath: this.#headings.texts, page: null, location: null };
    if (rows.length > 0) this.#blocks.push(...createTableBlocks({ rows, firstRow: null, hasHeader, position }));
  }

  /** Ends the current paragraph at the boundary of a block element. Inside a list, ends only the current line. */
  #endLine(): void {
    if (this.#lists.length === 0) this.#addBufferAsBlock();
    else this.#text.startLineIfFilled(`\n${'  '.repeat((this.#lists.at(-1)?.depth ?? 0) + 1)}`);
  }

  #addBufferAsBlock(kind: BlockKind = 'text'): void {
    const text = this.#takeBufferedText(kind === 'code');
    if (text.trim() !== '') this.#addBlock(kind, text);
  }

  #takeBufferedText(verbatim = false): string {
    const all = this.#text.takeAll();
    const text = normalizeForStorage(verbatim ? all : all.replace(SPACE_BEFORE_LINE_END, ''));
    return verbatim ? text : text.trim();
  }

  #addBlock(kind: BlockKind, text: string, fields: Partial<Block> = {}): void {
    this.#blocks.push({ kind, text, headingPath: this.#headings.texts, page: null, location: null, ...fields });
  }
}

/** Formats a checkbox as Markdown. */
function formatCheckbox({ type, checked }: Attributes): string {
  if (type !== 'checkbox') return '';
  return checked === undefined ? '[ ] ' : '[x] ';
}
