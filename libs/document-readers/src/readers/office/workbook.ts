import { ReadingFailed } from '../reader.js';
import { mainPart, relationshipId, type PackageParts } from './package-parts.js';
import { descendants, firstBelow } from './xml.js';

export interface SheetPart {
  readonly name: string;
  /** The name of the part that holds it. */
  readonly part: string;
  readonly isHidden: boolean;
}

/** A workbook's sheets, charts that fill one too, in the order of their tabs. Source: ECMA-376, part 1, section 18.2.19. @throws ReadingFailed */
export function sheetsOf(parts: PackageParts): {
  /** The name of the workbook's own part. */
  readonly workbook: string;
  readonly sheets: readonly SheetPart[];
  /** Whether days are counted from 1904 on, not from 1900. */
  readonly from1904: boolean;
} {
  const workbook = mainPart(parts, 'xl/workbook.xml');
  const content = parts.read(workbook);
  if (content === undefined) {
    throw new ReadingFailed('file_unreadable', `The spreadsheet is damaged: it has no ${workbook}.`);
  }
  const related = parts.relatedTo(workbook);
  const sheets = [...descendants(content, 'sheet')].map((sheet) => ({
    name: sheet.attributes['name'] ?? '',
    part: related.get(relationshipId(sheet.attributes))?.name ?? '',
    isHidden: ['hidden', 'veryHidden'].includes(sheet.attributes['state'] ?? ''),
  }));
  const date1904 = firstBelow(content, 'workbookPr')?.attributes['date1904'];
  return { workbook, sheets, from1904: date1904 === '1' || date1904 === 'true' };
}
