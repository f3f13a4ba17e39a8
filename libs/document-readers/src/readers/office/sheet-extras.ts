import type { Block } from '../block.js';
import { looksLikeHeader, tableBlocks } from '../tables/table-blocks.js';
import { chartTable } from './chart.js';
import { diagramParagraphs } from './diagram.js';
import { paragraphsOf } from './drawing-text.js';
import { relatedParts, type PackageParts } from './package-parts.js';
import { child, descendants, type XmlElement } from './xml.js';

type Place = Pick<Block, 'headingPath' | 'page' | 'location'>;

/** How the author begins that a program makes up for a comment of the newer list. */
const OF_NEWER_LIST = 'tc=';

/** What stands on a sheet beside its cells: charts, texts that are drawn, diagrams, and comments. @param sheet its part's name */
export function* sheetExtras(parts: PackageParts, sheet: string, workbook: string, place: Place): Generator<Block> {
  for (const drawing of relatedParts(parts, sheet, 'drawing')) {
    const texts = [...descendants(drawing.content, 'txBody')].flatMap(paragraphsOf).map(({ text }) => text);
    yield* asText(texts, place);
    for (const { attributes } of descendants(drawing.content, 'relIds')) {
      const boxes = diagramParagraphs(parts, drawing.name, attributes['r:dm'] ?? '');
      yield* asText(
        boxes.map(({ text }) => text),
        place,
      );
    }
    for (const { content } of relatedParts(parts, drawing.name, 'chart')) yield* chartBlocks(content, place);
  }
  yield* asText([...commentsOf(parts, sheet), ...threadedCommentsOf(parts, sheet, workbook)], place);
}

function* asText(lines: readonly string[], place: Place): Generator<Block> {
  const text = lines.filter((line) => line !== '').join('\n');
  if (text !== '') yield { ...place, kind: 'text', text };
}

function* chartBlocks(chart: XmlElement, place: Place): Generator<Block> {
  const { title, rows } = chartTable(chart);
  yield* asText([title], place);
  const hasHeader = looksLikeHeader(rows) || rows.length > 1;
  if (rows.length > 0) yield* tableBlocks({ rows, firstRow: null, hasHeader, place });
}

function commentsOf(parts: PackageParts, sheet: string): readonly string[] {
  return relatedParts(parts, sheet, 'comments').flatMap(({ content }) => {
    const authors = [...descendants(content, 'author')].map((author) => author.text);
    return [...descendants(content, 'comment')].map((comment) => {
      const author = authors[Number(comment.attributes['authorId'] ?? 0)] ?? '';
      const text = [...descendants(comment, 't')].map((part) => part.text).join('');
      return author.startsWith(OF_NEWER_LIST) ? '' : told(author, comment.attributes['ref'], text);
    });
  });
}

/** Source: [MS-XLSX], section 2.6.205. */
function threadedCommentsOf(parts: PackageParts, sheet: string, workbook: string): readonly string[] {
  const lists = relatedParts(parts, sheet, 'threadedComment');
  if (lists.length === 0) return [];
  const persons = relatedParts(parts, workbook, 'person').flatMap(({ content }) => [...descendants(content, 'person')]);
  const names = new Map(persons.map(({ attributes }) => [attributes['id'] ?? '', attributes['displayName'] ?? '']));
  return lists.flatMap(({ content }) =>
    [...descendants(content, 'threadedComment')].map((comment) => {
      const { personId = '', ref } = comment.attributes;
      return told(names.get(personId) ?? '', ref, child(comment, 'text')?.text ?? '');
    }),
  );
}

function told(author: string, cell: string | undefined, text: string): string {
  const by = author === '' ? '' : ` by ${author}`;
  return text.trim() === '' ? '' : `Comment${by} on ${cell ?? 'a cell'}: ${text.replace(/\s+/g, ' ').trim()}`;
}
