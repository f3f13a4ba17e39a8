import { CellGrid } from '../tables/cell-grid.js';
import { convertToLatex } from './math-text.js';
import { findChild, findDescendants, type XmlElement } from './xml.js';

/** Describes a paragraph of DrawingML, the markup of text in shapes. Source: ECMA-376, part 1, section 21.1.2. */
export interface DrawingParagraph {
  readonly text: string;
  /** Indentation level, from 0. */
  readonly level: number;
  readonly marker: 'none' | 'bullet' | 'number';
}

/** Reads the non-empty paragraphs of a text body. @param body an element with `a:p` children */
export function readDrawingParagraphs(body: XmlElement): readonly DrawingParagraph[] {
  return body.children
    .filter((element) => element.name === 'p')
    .map((paragraph): DrawingParagraph => {
      const properties = findChild(paragraph, 'pPr');
      const bullets = properties?.children.map((element) => element.name) ?? [];
      return {
        text: getParagraphText(paragraph),
        level: Number(properties?.attributes['lvl'] ?? 0),
        marker: bullets.includes('buAutoNum') ? 'number' : bullets.includes('buChar') ? 'bullet' : 'none',
      };
    })
    .filter((paragraph) => paragraph.text !== '');
}

function getParagraphText(paragraph: XmlElement): string {
  return paragraph.children.map(getElementText).join('').trim();
}

function getElementText(element: XmlElement): string {
  switch (element.name) {
    case 'r':
    case 'fld':
      return findChild(element, 't')?.text ?? '';
    case 'br':
      return '\n';
    // Reads the first alternative only, because the second alternative is a picture for older programs.
    case 'AlternateContent':
      return (element.children[0]?.children ?? []).map(getElementText).join('');
    case 'm':
      return ` ${convertToLatex(element).trim()} `;
    default:
      return '';
  }
}

/**
 * Reads the texts of a table by row and column. Repeats a merged cell in each position that it covers.
 *
 * @param table `a:tbl`
 */
export function readDrawingTable(table: XmlElement): readonly (readonly string[])[] {
  const grid = new CellGrid();
  for (const row of table.children.filter((element) => element.name === 'tr')) {
    grid.startRow();
    for (const cell of row.children.filter((element) => element.name === 'tc')) {
      const { gridSpan, rowSpan, hMerge, vMerge } = cell.attributes;
      if (isTrueAttribute(hMerge) || isTrueAttribute(vMerge)) continue;
      const text = [...findDescendants(cell, 'txBody')]
        .flatMap(readDrawingParagraphs)
        .map((paragraph) => paragraph.text);
      grid.addCell(text.join(' '), { columns: gridSpan, rows: rowSpan }, false);
    }
  }
  return grid.grid.filter((row) => row.some((cell) => cell !== ''));
}

function isTrueAttribute(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
