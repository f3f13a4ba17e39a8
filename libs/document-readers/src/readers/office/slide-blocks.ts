import type { Block, BlockPosition } from '../block.js';
import { isHeaderRow, createTableBlocks } from '../tables/format-table.js';
import { readChart } from './chart.js';
import { readDiagram } from './diagram.js';
import { readDrawingParagraphs, readDrawingTable, type DrawingParagraph } from './drawing-text.js';
import { readRelatedParts, type PackageParts } from './package-parts.js';
import { readSlideComments } from './slide-comments.js';
import { getAltText, isBoilerplateShape, getPlaceholderType, findShapes, getShapeText } from './slide-shapes.js';
import { findChild, findDescendant, type XmlElement } from './xml.js';

const TITLES = new Set(['title', 'ctrTitle']);

export interface Slide {
  readonly parts: PackageParts;
  /** Name of the part that contains the slide. */
  readonly name: string;
  readonly content: XmlElement;
  /** Maps the ids of comment authors to their names. */
  readonly authors: ReadonlyMap<string, string>;
}

/**
 * Yields the title of a slide, then the texts, tables, charts and pictures in drawing order, then comments and notes.
 */
export function* readSlideBlocks({ parts, name, content, authors }: Slide, slideNumber: number): Generator<Block> {
  const shapes = [...findShapes(content)];
  const title = shapes
    .filter((shape) => TITLES.has(getPlaceholderType(shape)))
    .map(getShapeText)
    .find((text) => text !== '');
  const isHidden = findDescendant(content, 'sld')?.attributes['show'] === '0';
  const location = `slide ${slideNumber}${isHidden ? ' (hidden)' : ''}`;
  const position = { headingPath: title === undefined ? [] : [title], page: slideNumber, location };
  if (title !== undefined) yield { ...position, kind: 'heading', text: title, level: 1 };
  for (const shape of shapes) {
    if (!TITLES.has(getPlaceholderType(shape)) && !isBoilerplateShape(shape))
      yield* readShapeBlocks(parts, name, shape, position);
  }
  yield* createTextBlock(readSlideComments(parts, name, authors), { ...position, location: `${location}, comments` });
  yield* readSpeakerNotes(parts, name, { ...position, location: `${location}, speaker notes` });
}

function* readShapeBlocks(
  parts: PackageParts,
  slide: string,
  shape: XmlElement,
  position: BlockPosition,
): Generator<Block> {
  const table = findDescendant(shape, 'tbl');
  const chart = findDescendant(shape, 'chart')?.attributes['r:id'];
  const diagram = findDescendant(shape, 'relIds')?.attributes['r:dm'];
  if (shape.name === 'pic') yield* createTextBlock(createPlainParagraphs(getAltText(shape)), position);
  else if (table !== undefined) yield* createSlideTable(readDrawingTable(table), position);
  else if (chart !== undefined) yield* readChartBlocks(parts, slide, chart, position);
  else if (diagram !== undefined) yield* createTextBlock(readDiagram(parts, slide, diagram), position);
  else {
    const body = findChild(shape, 'txBody');
    if (body !== undefined) yield* createTextBlock(readDrawingParagraphs(body), position);
  }
}

function* readChartBlocks(parts: PackageParts, slide: string, id: string, position: BlockPosition): Generator<Block> {
  const part = parts.readXml(parts.getRelatedParts(slide).get(id)?.name ?? '');
  if (part === undefined) return;
  const { title, rows } = readChart(part);
  if (title !== '') yield { ...position, kind: 'text', text: title };
  yield* createSlideTable(rows, position);
}

function* createSlideTable(rows: readonly (readonly string[])[], position: BlockPosition): Generator<Block> {
  if (rows.length > 0)
    yield* createTableBlocks({ rows, firstRow: null, hasHeader: isHeaderRow(rows) || rows.length > 2, position });
}

/**
 * Yields the paragraphs of a shape: as a list if a paragraph has a bullet, a number or an indentation, or else as text.
 */
function* createTextBlock(paragraphs: readonly DrawingParagraph[], position: BlockPosition): Generator<Block> {
  if (paragraphs.length === 0) return;
  const isList = paragraphs.some((paragraph) => paragraph.marker !== 'none' || paragraph.level > 0);
  const lines = isList ? formatListLines(paragraphs) : paragraphs.map((paragraph) => paragraph.text);
  yield { ...position, kind: isList ? 'list' : 'text', text: lines.join('\n') };
}

function formatListLines(paragraphs: readonly DrawingParagraph[]): readonly string[] {
  const counts: number[] = [];
  return paragraphs.map(({ text, level, marker }) => {
    counts.length = level + 1;
    counts[level] = marker === 'number' ? (counts[level] ?? 0) + 1 : 0;
    return `${'  '.repeat(level)}${marker === 'number' ? `${counts[level] ?? 1}.` : '-'} ${text}`;
  });
}

/** Yields the speaker notes and the other content of the notes page of a slide. */
function* readSpeakerNotes(parts: PackageParts, slide: string, position: BlockPosition): Generator<Block> {
  const [notes] = readRelatedParts(parts, slide, 'notesSlide');
  if (notes === undefined) return;
  for (const shape of findShapes(notes.content)) {
    if (!isBoilerplateShape(shape)) yield* readShapeBlocks(parts, notes.name, shape, position);
  }
}

function createPlainParagraphs(text: string): readonly DrawingParagraph[] {
  return text === '' ? [] : [{ text, level: 0, marker: 'none' }];
}
