import { ReadingFailed } from '../reader.js';
import type { PackageParts } from './package-parts.js';
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
  const main = [...parts.relatedTo('').values()].find((part) => part.type === 'officeDocument');
  const workbook = main?.name ?? 'xl/workbook.xml';
  const content = parts.read(workbook);
  if (content === undefined) {
    throw new ReadingFailed('file_unreadable', `The spreadsheet is damaged: it has no ${workbook}.`);
  }
  const related = parts.relatedTo(workbook);
  const sheets = [...descendants(content, 'sheet')].map(({ attributes }) => ({
    name: attributes['name'] ?? '',
    part: related.get(relationshipId(attributes) ?? '')?.name ?? '',
    isHidden: ['hidden', 'veryHidden'].includes(attributes['state'] ?? ''),
  }));
  const date1904 = firstBelow(content, 'workbookPr')?.attributes['date1904'];
  return { workbook, sheets, from1904: date1904 === '1' || date1904 === 'true' };
}

/** The prefix of the attribute is the writer's own choice. */
function relationshipId(attributes: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(attributes).find(([name]) => /^\w+:id$/.test(name))?.[1];
}
