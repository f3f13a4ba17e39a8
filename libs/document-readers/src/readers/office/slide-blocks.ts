import type { Block } from '../block.js';
import { looksLikeHeader, tableBlocks } from '../tables/table-blocks.js';
import { chartTable } from './chart.js';
import { diagramParagraphs } from './diagram.js';
import { paragraphsOf, tableOf, type DrawnParagraph } from './drawing-text.js';
import { relatedParts, type PackageParts } from './package-parts.js';
import { slideComments } from './slide-comments.js';
import { descriptionOf, isFurniture, roleOf, shapesOf, wordsOf } from './slide-shapes.js';
import { child, firstBelow, type XmlElement } from './xml.js';

const TITLES = new Set(['title', 'ctrTitle']);

export interface Slide {
  readonly parts: PackageParts;
  /** Of its part. */
  readonly name: string;
  readonly content: XmlElement;
  /** Of comments, by their ids. */
  readonly authors: ReadonlyMap<string, string>;
}

/** One slide's title, texts, tables, charts, pictures and notes, in the order in which they were drawn, the title first. */
export function* blocksOfSlide({ parts, name, content, authors }: Slide, number: number): Generator<Block> {
  const shapes = [...shapesOf(content)];
  const title = shapes
    .filter((shape) => TITLES.has(roleOf(shape)))
    .map(wordsOf)
    .find((text) => text !== '');
  const isHidden = firstBelow(content, 'sld')?.attributes['show'] === '0';
  const location = `slide ${number}${isHidden ? ' (hidden)' : ''}`;
  const place = { headingPath: title === undefined ? [] : [title], page: number, location };
  if (title !== undefined) yield { ...place, kind: 'heading', text: title, level: 1 };
  for (const shape of shapes) {
    if (!TITLES.has(roleOf(shape)) && !isFurniture(shape)) yield* blocksOfShape(parts, name, shape, place);
  }
  yield* asText(slideComments(parts, name, authors), { ...place, location: `${location}, comments` });
  yield* notesOf(parts, name, { ...place, location: `${location}, speaker notes` });
}

type Place = Pick<Block, 'headingPath' | 'page' | 'location'>;

function* blocksOfShape(parts: PackageParts, slide: string, shape: XmlElement, place: Place): Generator<Block> {
  const table = firstBelow(shape, 'tbl');
  const chart = firstBelow(shape, 'chart')?.attributes['r:id'];
  const diagram = firstBelow(shape, 'relIds')?.attributes['r:dm'];
  if (shape.name === 'pic') yield* asText(paragraphOf(descriptionOf(shape)), place);
  else if (table !== undefined) yield* asTable(tableOf(table), place);
  else if (chart !== undefined) yield* blocksOfChart(parts, slide, chart, place);
  else if (diagram !== undefined) yield* asText(diagramParagraphs(parts, slide, diagram), place);
  else {
    const body = child(shape, 'txBody');
    if (body !== undefined) yield* asText(paragraphsOf(body), place);
  }
}

function* blocksOfChart(parts: PackageParts, slide: string, id: string, place: Place): Generator<Block> {
  const part = parts.read(parts.relatedTo(slide).get(id)?.name ?? '');
  if (part === undefined) return;
  const { title, rows } = chartTable(part);
  if (title !== '') yield { ...place, kind: 'text', text: title };
  yield* asTable(rows, place);
}

function* asTable(rows: readonly (readonly string[])[], place: Place): Generator<Block> {
  if (rows.length > 0)
    yield* tableBlocks({ rows, firstRow: null, hasHeader: looksLikeHeader(rows) || rows.length > 2, place });
}

/** Several paragraphs of one shape with bullets, numbers or levels are a list. */
function* asText(paragraphs: readonly DrawnParagraph[], place: Place): Generator<Block> {
  if (paragraphs.length === 0) return;
  const isList = paragraphs.some((paragraph) => paragraph.mark !== 'none' || paragraph.level > 0);
  const lines = isList ? listLines(paragraphs) : paragraphs.map((paragraph) => paragraph.text);
  yield { ...place, kind: isList ? 'list' : 'text', text: lines.join('\n') };
}

function listLines(paragraphs: readonly DrawnParagraph[]): readonly string[] {
  const counts: number[] = [];
  return paragraphs.map(({ text, level, mark }) => {
    counts.length = level + 1;
    counts[level] = mark === 'number' ? (counts[level] ?? 0) + 1 : 0;
    return `${'  '.repeat(level)}${mark === 'number' ? `${counts[level] ?? 1}.` : '-'} ${text}`;
  });
}

/** What the speaker reads, and what else is on the page of the notes. */
function* notesOf(parts: PackageParts, slide: string, place: Place): Generator<Block> {
  const [notes] = relatedParts(parts, slide, 'notesSlide');
  if (notes === undefined) return;
  for (const shape of shapesOf(notes.content)) {
    if (!isFurniture(shape)) yield* blocksOfShape(parts, notes.name, shape, place);
  }
}

function paragraphOf(text: string): readonly DrawnParagraph[] {
  return text === '' ? [] : [{ text, level: 0, mark: 'none' }];
}
