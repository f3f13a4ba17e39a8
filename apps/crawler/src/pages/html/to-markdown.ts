import TurndownService from 'turndown';

const LINK_SCHEME = /^(?:https?|mailto|tel):/i;

/**
 * Converts an element to GitHub Flavored Markdown. Keeps headings, lists, tables and code, and resolves the URLs of
 * links and images. Changes the element.
 *
 * @param base the base of relative URLs
 */
export function toMarkdown(root: Element, base: string): string {
  resolveElementUrls(root, base);
  return createMarkdownConverter().turndown(toTurndownNode(root)).trim();
}

/** Resolves the URLs of links and images. Replaces links inside the page and script links by their text. */
function resolveElementUrls(root: Element, base: string): void {
  for (const link of root.querySelectorAll('a')) {
    const href = link.getAttribute('href')?.trim() ?? '';
    const url = href.startsWith('#') ? undefined : URL.parse(href, base)?.href;
    if (url !== undefined && href !== '' && LINK_SCHEME.test(url)) link.setAttribute('href', url);
    else link.replaceWith(...link.childNodes);
  }
  for (const image of root.querySelectorAll('img')) {
    const source = image.getAttribute('src') ?? image.getAttribute('data-src') ?? '';
    image.setAttribute('src', source === '' ? '' : (URL.parse(source, base)?.href ?? ''));
  }
}

function createMarkdownConverter(): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
    hr: '---',
  });
  const escape = service.escape.bind(service);
  // An underscore inside a word needs no escape (CommonMark 6.2), and `snake_case` stays searchable.
  service.escape = (text) => escape(text).replace(/(?<=[\p{L}\p{N}])\\_(?=[\p{L}\p{N}])/gu, '_');
  service.addRule('strikethrough', { filter: ['del', 's'], replacement: (content) => `~~${content}~~` });
  service.addRule('term', {
    filter: (node) => node.nodeName === 'DT',
    replacement: (content) => `\n\n**${content.trim()}**\n\n`,
  });
  service.addRule('checkbox', {
    filter: (node) => node.nodeName === 'INPUT' && node.getAttribute('type') === 'checkbox',
    replacement: (_content, node) => (node.hasAttribute('checked') ? '[x] ' : '[ ] '),
  });
  service.addRule('picture', { filter: 'img', replacement: (_content, node) => convertImage(node) });
  addCodeRules(service);
  addTableRules(service);
  return service;
}

/** Converts an image to Markdown. Returns '' for an image without a description. */
function convertImage(node: HTMLElement): string {
  const description = (node.getAttribute('alt') ?? node.getAttribute('title') ?? '').replace(/[\s[\]]+/g, ' ').trim();
  const source = node.getAttribute('src') ?? '';
  if (description === '') return '';
  return /^https?:/.test(source) ? `![${description}](${source})` : description;
}

// The type assertion is safe, because turndown clones its input and uses only methods of Element.
function toTurndownNode(root: Element): HTMLElement {
  return root as HTMLElement;
}

const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source|highlight|brush:)[- ]?([a-z0-9+#-]+)/i;
const NOT_A_LANGUAGE = new Set(['none', 'text', 'plaintext', 'js-copy', 'table', 'wrapper']);

/** Adds rules to turndown that convert code blocks to fenced Markdown, with their line breaks and language. */
function addCodeRules(service: TurndownService): void {
  service.addRule('code block', {
    filter: 'pre',
    replacement: (_content, node) => {
      const code = extractCode(node).replace(/^\n/, '').trimEnd();
      if (code.trim() === '') return '';
      const fence = chooseCodeFence(code);
      return `\n\n${fence}${findCodeLanguage(node)}\n${code}\n${fence}\n\n`;
    },
  });
}

function extractCode(node: Node): string {
  return [...node.childNodes].map((child) => (child.nodeName === 'BR' ? '\n' : extractTextWithBreaks(child))).join('');
}

function extractTextWithBreaks(node: Node): string {
  return node.childNodes.length === 0 ? (node.textContent ?? '') : extractCode(node);
}

function findCodeLanguage(node: Element): string {
  const classes = [node.querySelector('code'), node, node.parentElement, node.parentElement?.parentElement ?? null];
  for (const element of classes) {
    const language = element?.getAttribute('data-lang') ?? LANGUAGE.exec(element?.getAttribute('class') ?? '')?.[1];
    if (language !== undefined && /^[a-z0-9+#-]{1,30}$/i.test(language) && !NOT_A_LANGUAGE.has(language))
      return language.toLowerCase();
  }
  return '';
}

/** Returns a Markdown fence with more backticks than any sequence of backticks in the code. */
function chooseCodeFence(code: string): string {
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  return '`'.repeat(Math.max(3, longest + 1));
}

/**
 * Marks the start of a table row, because turndown passes the converted cells of a table as one text. Unicode reserves
 * these characters, so no text contains them.
 */
const ROW = '\uFDD0';
const CELL = '\uFDD1';
const SPAN = '\uFDD2';
const MARKS = /[\uFDD0-\uFDD2]/g;

/**
 * Adds rules to turndown that convert data tables to Markdown tables, and layout tables to the contents of their cells.
 */
export function addTableRules(service: TurndownService): void {
  const layouts = new WeakMap<Node, boolean>();
  const isInLayoutTable = (node: Element): boolean => {
    const table = node.closest('table');
    if (table === null) return true;
    const known = layouts.get(table) ?? isLayoutTable(table);
    layouts.set(table, known);
    return known;
  };
  service.addRule('table cell', {
    filter: ['td', 'th'],
    replacement: (content, node) =>
      isInLayoutTable(node) ? `\n\n${content}\n\n` : CELL + encodeCellSpans(node) + SPAN + toSingleLineCell(content),
  });
  service.addRule('table row', {
    filter: 'tr',
    replacement: (content, node) => (isInLayoutTable(node) ? `\n\n${content}\n\n` : ROW + content),
  });
  service.addRule('table section', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content });
  service.addRule('table caption', {
    filter: 'caption',
    replacement: (content) => (content.trim() === '' ? '' : `${content.replace(/\s+/g, ' ').trim()}\n\n`),
  });
  service.addRule('table', {
    filter: 'table',
    replacement: (content, node) =>
      isInLayoutTable(node) ? `\n\n${content}\n\n` : `\n\n${formatDataTable(content)}\n\n`,
  });
}

/**
 * Returns whether a table is used for layout: it has the role `presentation`, contains tables, headings or code, or has
 * a single cell.
 */
function isLayoutTable(table: Element): boolean {
  if (table.getAttribute('role') === 'presentation') return true;
  if (table.querySelector('table, h1, h2, h3, pre') !== null) return true;
  return table.querySelectorAll('td, th').length < 2;
}

/**
 * Encodes the numbers of columns and rows that a cell spans as `columns,rows,header`. `header` is 1 for a header cell,
 * otherwise 0.
 */
function encodeCellSpans(node: Element): string {
  return [readCellSpan(node, 'colspan'), readCellSpan(node, 'rowspan'), node.nodeName === 'TH' ? 1 : 0].join(',');
}

function readCellSpan(node: Element, name: string): number {
  const number = Number.parseInt(node.getAttribute(name) ?? '1', 10);
  return number >= 1 ? number : 1;
}

function toSingleLineCell(content: string): string {
  return content
    .replace(MARKS, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<!\\)\|/g, '\\|');
}

function formatDataTable(content: string): string {
  const [caption = '', ...rows] = content.split(ROW);
  const table = formatTable(rows.map(parseEncodedCells).filter((row) => row.length > 0));
  return `${caption.trim()}\n\n${table}`.trim();
}

function parseEncodedCells(row: string): readonly Cell[] {
  return row
    .split(CELL)
    .slice(1)
    .map((cell) => {
      const [spans = '', text = ''] = cell.split(SPAN);
      const [columns = 1, rows = 1, isHeader = 0] = spans.split(',').map(Number);
      return { text: text.trim(), columns, rows, isHeader: isHeader === 1 };
    });
}

/** Holds the text of a table cell, and the numbers of columns and rows that it spans. */
interface Cell {
  readonly text: string;
  readonly columns: number;
  readonly rows: number;
  readonly isHeader: boolean;
}

/** Maximum number of columns of a table. A page can declare excessive spans. */
const MAX_COLUMNS = 100;
const MAX_ROW_SPAN = 1_000;

/**
 * Formats a table in GitHub Flavored Markdown. A cell that spans columns or rows is repeated, so that each row is
 * complete. A table without header cells gets an empty header, which GFM requires.
 */
function formatTable(rows: readonly (readonly Cell[])[]): string {
  const grid = buildCellGrid(rows);
  const width = Math.max(0, ...grid.map((row) => row.length));
  if (width === 0) return '';
  const hasHeader = rows[0]?.every((cell) => cell.isHeader) === true;
  const [header = [], ...body] = hasHeader ? grid : [[], ...grid];
  const lines = [
    formatTableRow(header, width),
    formatTableRow(Array<string>(width).fill('---'), width),
    ...body.map((row) => formatTableRow(row, width)),
  ];
  return lines.join('\n');
}

function formatTableRow(cells: readonly (string | undefined)[], width: number): string {
  const texts = Array.from({ length: width }, (_, column) => cells[column] ?? '');
  return `| ${texts.join(' | ')} |`;
}

/**
 * Builds the rows and columns of a table. Places each cell to the right of the cells of earlier rows that span its row.
 */
function buildCellGrid(rows: readonly (readonly Cell[])[]): (string | undefined)[][] {
  const grid: (string | undefined)[][] = rows.map(() => []);
  rows.forEach((cells, top) => {
    let left = 0;
    for (const cell of cells) {
      const first = grid[top] ?? [];
      while (left < first.length && first[left] !== undefined) left += 1;
      const right = Math.min(left + cell.columns, MAX_COLUMNS);
      const bottom = Math.min(top + Math.min(cell.rows, MAX_ROW_SPAN), grid.length);
      for (const row of grid.slice(top, bottom)) for (let at = left; at < right; at += 1) row[at] = cell.text;
      left = right;
    }
  });
  return grid;
}
