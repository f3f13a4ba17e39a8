import type { Block } from '../block.js';
import { isHeaderRow, createTableBlocks } from '../tables/table-blocks.js';
import { readChart } from './chart.js';
import { readDiagram } from './diagram.js';
import { readParagraphs, readTable, type DrawingParagraph } from './drawing-text.js';
import { readRelatedParts, type PackageParts } from './package-parts.js';
import { readSlideComments } from './slide-comments.js';
import { getAltText, isBoilerplate, getPlaceholderType, findShapes, getShapeText } from './slide-shapes.js';
import { findChild, findDescendant, type XmlElement } from './xml.js';

const TITLES = new Set(['title', 'ctrTitle']);

export interface Slide {
  readonly parts: PackageParts;
  /** Name of the slide's part. */
  readonly name: string;
  readonly content: XmlElement;
  /** Names of comment authors by id. */
  readonly authors: ReadonlyMap<string, string>;
}

/** Yields the title of a slide, then its texts, tables, charts, pictures and notes in drawing order. */
export function* readSlideBlocks({ parts, name, content, authors }: Slide, number: number): Generator<Block> {
  const shapes = [...findShapes(content)];
  const title = shapes
    .filter((shape) => TITLES.has(getPlaceholderType(shape)))
    .map(getShapeText)
    .find((text) => text !== '');
  const isHidden = findDescendant(content, 'sld')?.attributes['show'] === '0';
  const location = `slide ${number}${isHidden ? ' (hidden)' : ''}`;
  const place = { headingPath: title === undefined ? [] : [title], page: number, location };
  if (title !== undefined) yield { ...place, kind: 'heading', text: title, level: 1 };
  for (const shape of shapes) {
    if (!TITLES.has(getPlaceholderType(shape)) && !isBoilerplate(shape))
      yield* readShapeBlocks(parts, name, shape, place);
  }
  yield* createTextBlocks(readSlideComments(parts, name, authors), { ...place, location: `${location}, comments` });
  yield* readNotes(parts, name, { ...place, location: `${location}, speaker notes` });
}

type Place = Pick<Block, 'headingPath' | 'page' | 'location'>;

function* readShapeBlocks(parts: PackageParts, slide: string, shape: XmlElement, place: Place): Generator<Block> {
  const table = findDescendant(shape, 'tbl');
  const chart = findDescendant(shape, 'chart')?.attributes['r:id'];
  const diagram = findDescendant(shape, 'relIds')?.attributes['r:dm'];
  if (shape.name === 'pic') yield* createTextBlocks(createParagraph(getAltText(shape)), place);
  else if (table !== undefined) yield* createSlideTable(readTable(table), place);
  else if (chart !== undefined) yield* readChartBlocks(parts, slide, chart, place);
  else if (diagram !== undefined) yield* createTextBlocks(readDiagram(parts, slide, diagram), place);
  else {
    const body = findChild(shape, 'txBody');
    if (body !== undefined) yield* createTextBlocks(readParagraphs(body), place);
  }
}

function* readChartBlocks(parts: PackageParts, slide: string, id: string, place: Place): Generator<Block> {
  const part = parts.readXml(parts.getRelatedParts(slide).get(id)?.name ?? '');
  if (part === undefined) return;
  const { title, rows } = readChart(part);
  if (title !== '') yield { ...place, kind: 'text', text: title };
  yield* createSlideTable(rows, place);
}

function* createSlideTable(rows: readonly (readonly string[])[], place: Place): Generator<Block> {
  if (rows.length > 0)
    yield* createTableBlocks({ rows, firstRow: null, hasHeader: isHeaderRow(rows) || rows.length > 2, place });
}

/**
 * Yields the paragraphs of a shape as a list if any paragraph has a bullet, a number or an indentation, else as text.
 */
function* createTextBlocks(paragraphs: readonly DrawingParagraph[], place: Place): Generator<Block> {
  if (paragraphs.length === 0) return;
  const isList = paragraphs.some((paragraph) => paragraph.marker !== 'none' || paragraph.level > 0);
  const lines = isList ? formatListLines(paragraphs) : paragraphs.map((paragraph) => paragraph.text);
  yield { ...place, kind: isList ? 'list' : 'text', text: lines.join('\n') };
}

function formatListLines(paragraphs: readonly DrawingParagraph[]): readonly string[] {
  const counts: number[] = [];
  return paragraphs.map(({ text, level, marker }) => {
    counts.length = level + 1;
    counts[level] = marker === 'number' ? (counts[level] ?? 0) + 1 : 0;
    return `${'  '.repeat(level)}${marker === 'number' ? `${counts[level] ?? 1}.` : '-'} ${text}`;
  });
}

/** Yields the speaker notes and other content of the notes page. */
function* readNotes(parts: PackageParts, slide: string, place: Place): Generator<Block> {
  const [notes] = readRelatedParts(parts, slide, 'notesSlide');
  if (notes === undefined) return;
  for (const shape of findShapes(notes.content)) {
    if (!isBoilerplate(shape)) yield* readShapeBlocks(parts, notes.name, shape, place);
  }
}

function createParagraph(text: string): readonly DrawingParagraph[] {
  return text === '' ? [] : [{ text, level: 0, marker: 'none' }];
}
