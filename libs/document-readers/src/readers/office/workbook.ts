import { ReadingFailed } from '../reader.js';
import { findMainPart, getRelationshipId, type PackageParts } from './package-parts.js';
import { findDescendants, findDescendant } from './xml.js';

export interface SheetPart {
  readonly name: string;
  /** Name of the package part that contains the sheet; empty if the package has no such part. */
  readonly part: string;
  readonly isHidden: boolean;
}

/**
 * Reads the sheets and chart sheets of a workbook in tab order. Source: ECMA-376, part 1, section 18.2.19.
 *
 * @throws ReadingFailed
 */
export function readWorkbook(parts: PackageParts): {
  /** Name of the package part that contains the workbook. */
  readonly workbook: string;
  readonly sheets: readonly SheetPart[];
  /** True if the dates of the workbook count days from 1904 instead of 1900. */
  readonly from1904: boolean;
} {
  const workbook = findMainPart(parts, 'xl/workbook.xml');
  const content = parts.readXml(workbook);
  if (content === undefined) {
    throw new ReadingFailed('file_unreadable', `The spreadsheet is damaged: it has no ${workbook}.`);
  }
  const related = parts.getRelatedParts(workbook);
  const sheets = [...findDescendants(content, 'sheet')].map((sheet) => ({
    name: sheet.attributes['name'] ?? '',
    part: related.get(getRelationshipId(sheet.attributes))?.name ?? '',
    isHidden: ['hidden', 'veryHidden'].includes(sheet.attributes['state'] ?? ''),
  }));
  const date1904 = findDescendant(content, 'workbookPr')?.attributes['date1904'];
  return { workbook, sheets, from1904: date1904 === '1' || date1904 === 'true' };
}
