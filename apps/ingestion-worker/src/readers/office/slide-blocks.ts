import type { Block } from '../block.js';
import { looksLikeHeader, tableBlocks } from '../tables/table-blocks.js';
import { chartTable } from './chart.js';
import { paragraphsOf, tableOf, type DrawnParagraph } from './drawing-text.js';
import { relatedParts, type PackageParts } from './package-parts.js';
import { slideComments } from './slide-comments.js';
import { child, descendants, firstBelow, type XmlElement } from './xml.js';

const TITLES = new Set(['title', 'ctrTitle']);
/** What every slide repeats. */
const FURNITURE = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg']);

/** One slide's title, texts, tables, charts and notes, in the order in which they were drawn, the title first. */
export function* blocksOfSlide(parts: PackageParts, name: string, number: number): Generator<Block> {
  const slide = parts.read(name);
  if (slide === undefined) return;
  const shapes = [...shapesOf(slide)];
  const title = shapes
    .filter((shape) => TITLES.has(placeholderOf(shape) ?? ''))
    .map(wordsOf)
    .find((text) => text !== '');
  const isHidden = firstBelow(slide, 'sld')?.attributes['show'] === '0';
  const location = `slide ${number}${isHidden ? ' (hidden)' : ''}`;
  const place = { headingPath: title === undefined ? [] : [title], page: number, location };
  if (title !== undefined) yield { ...place, kind: 'heading', text: title, level: 1 };
  for (const shape of shapes) {
    const role = placeholderOf(shape) ?? '';
    if (!TITLES.has(role) && !FURNITURE.has(role)) yield* blocksOfShape(parts, name, shape, place);
  }
  yield* asText(slideComments(parts, name), { ...place, location: `${location}, comments` });
  yield* notesOf(parts, name, { ...place, location: `${location}, speaker notes` });
}

type Place = Pick<Block, 'headingPath' | 'page' | 'location'>;

/** Text shapes and frames, also those in groups. */
function* shapesOf(element: XmlElement): Generator<XmlElement> {
  for (const below of element.children) {
    if (below.name === 'sp' || below.name === 'graphicFrame') yield below;
    // Of the versions of a drawing for older programs, only one is shown.
    else if (below.name !== 'Fallback') yield* shapesOf(below);
  }
}

function* blocksOfShape(parts: PackageParts, slide: string, shape: XmlElement, place: Place): Generator<Block> {
  const table = firstBelow(shape, 'tbl');
  const chart = firstBelow(shape, 'chart')?.attributes['r:id'];
  const diagram = firstBelow(shape, 'relIds')?.attributes['r:dm'];
  if (table !== undefined) yield* asTable(tableOf(table), place);
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

function diagramParagraphs(parts: PackageParts, slide: string, id: string): readonly DrawnParagraph[] {
  const part = parts.read(parts.relatedTo(slide).get(id)?.name ?? '');
  return part === undefined ? [] : [...descendants(part, 't')].flatMap(paragraphsOf);
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

/** What the speaker reads. */
function* notesOf(parts: PackageParts, slide: string, place: Place): Generator<Block> {
  const [notes] = relatedParts(parts, slide, 'notesSlide');
  if (notes === undefined) return;
  const text = [...shapesOf(notes.content)]
    .filter((shape) => placeholderOf(shape) === 'body')
    .map(wordsOf)
    .join('\n')
    .trim();
  if (text !== '') yield { ...place, kind: 'text', text };
}

/** A placeholder without a type is for the slide's body. Source: ECMA-376, part 1, section 19.3.1.36. */
function placeholderOf(shape: XmlElement): string | undefined {
  const placeholder = firstBelow(shape, 'ph');
  return placeholder === undefined ? undefined : (placeholder.attributes['type'] ?? 'body');
}

function wordsOf(shape: XmlElement): string {
  const body = child(shape, 'txBody');
  const lines = body === undefined ? [] : paragraphsOf(body).map((paragraph) => paragraph.text);
  return lines.join('\n');
}
