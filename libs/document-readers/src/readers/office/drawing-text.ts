import { CellGrid } from '../tables/cell-grid.js';
import { mathText } from './math-text.js';
import { child, descendants, type XmlElement } from './xml.js';

/** A paragraph of DrawingML. Source: ECMA-376, part 1, section 21.1.2. */
export interface DrawnParagraph {
  readonly text: string;
  /** From 0. */
  readonly level: number;
  readonly mark: 'none' | 'bullet' | 'number';
}

/** @param body an element that holds `a:p` */
export function paragraphsOf(body: XmlElement): readonly DrawnParagraph[] {
  return body.children
    .filter((element) => element.name === 'p')
    .map((paragraph): DrawnParagraph => {
      const properties = child(paragraph, 'pPr');
      const bullets = properties?.children.map((element) => element.name) ?? [];
      return {
        text: textOf(paragraph),
        level: Number(properties?.attributes['lvl'] ?? 0),
        mark: bullets.includes('buAutoNum') ? 'number' : bullets.includes('buChar') ? 'bullet' : 'none',
      };
    })
    .filter((paragraph) => paragraph.text !== '');
}

function textOf(paragraph: XmlElement): string {
  return paragraph.children.map(pieceOf).join('').trim();
}

function pieceOf(element: XmlElement): string {
  switch (element.name) {
    case 'r':
    case 'fld':
      return child(element, 't')?.text ?? '';
    case 'br':
      return '\n';
    // Of two versions, the later is a picture for older programs.
    case 'AlternateContent':
      return (element.children[0]?.children ?? []).map(pieceOf).join('');
    case 'm':
      return ` ${mathText(element).trim()} `;
    default:
      return '';
  }
}

/** The cells of `a:tbl`. What merged cells cover is written in their places. */
export function tableOf(table: XmlElement): readonly (readonly string[])[] {
  const grid = new CellGrid();
  for (const row of table.children.filter((element) => element.name === 'tr')) {
    grid.startRow();
    for (const cell of row.children.filter((element) => element.name === 'tc')) {
      const { gridSpan, rowSpan, hMerge, vMerge } = cell.attributes;
      if (isTrue(hMerge) || isTrue(vMerge)) continue;
      const text = [...descendants(cell, 'txBody')].flatMap(paragraphsOf).map((paragraph) => paragraph.text);
      grid.addCell(text.join(' '), { columns: gridSpan, rows: rowSpan }, false);
    }
  }
  return grid.grid.filter((row) => row.some((cell) => cell !== ''));
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
