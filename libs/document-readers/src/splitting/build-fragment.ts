import { countTokens } from '@quarry/text-analysis/tokens';
import type { Block } from '../readers/block.js';
import { getDisplayedRow } from '../readers/tables/get-displayed-row.js';
import { sliceTextRectangles, type TextRectangle } from '../readers/text-rectangle.js';
import type { Fragment } from './fragment.js';
import { splitIntoSentences, splitIntoWords } from './cut.js';
import { buildLineRectangles } from './build-line-rectangles.js';

const HEADING_SEPARATOR = ' › ';
const MAX_HEADING_CHARACTERS = 120;

/** Builds a fragment from its parts. @param tokens number of tokens of the joined text */
export function buildFragment(documentName: string, parts: readonly Part[], tokens: number): Fragment {
  const newText = parts.filter((part) => !part.repeated);
  const { starts, ...joined } = joinPartTexts(parts);
  return {
    ...joined,
    context: buildContext(documentName, newText),
    page: findFirstPage(newText),
    location: buildLocation(newText),
    rectangles: buildLineRectangles(collectTextRectangles(parts, starts)),
    tokens,
  };
}

/** Returns the page on which the text of the first part begins. */
function findFirstPage(parts: readonly Part[]): number | null {
  const [firstPart] = parts;
  if (firstPart === undefined) return null;
  const rectangles = parts.find((part) => part.rectangles.length > 0 && part.block === firstPart.block)?.rectangles;
  return rectangles?.[0]?.page ?? firstPart.block.page;
}

/** Returns the document's name and the headings that all parts have in common. */
function buildContext(documentName: string, parts: readonly Part[]): string {
  const [firstPart = [], ...others] = parts.map((part) => part.block.headingPath);
  const differs = firstPart.findIndex((heading, depth) => others.some((path) => path[depth] !== heading));
  const headings = differs === -1 ? firstPart : firstPart.slice(0, differs);
  const path = headings[0] === documentName ? headings : [documentName, ...headings];
  return path
    .filter((heading) => heading !== '')
    .map((heading) =>
      heading.length > MAX_HEADING_CHARACTERS ? `${heading.slice(0, MAX_HEADING_CHARACTERS).toWellFormed()}…` : heading,
    )
    .join(HEADING_SEPARATOR);
}

/**
 * Returns the location of the first part, followed by the range of rows or JSON pointers in the fragment. Returns null
 * if there are none.
 */
function buildLocation(parts: readonly Part[]): string | null {
  const positions = [parts[0]?.block.location, formatRowRange(parts), formatPointerRange(parts)].filter(
    (part) => typeof part === 'string',
  );
  return positions.length === 0 ? null : positions.join(', ');
}

function formatRowRange(parts: readonly Part[]): string | undefined {
  const rows = parts.flatMap((part) => part.rows?.map((row) => getDisplayedRow(row, part.block.emptyRows)) ?? []);
  const [firstPart, last] = [Math.min(...rows), Math.max(...rows)];
  if (rows.length === 0) return undefined;
  return firstPart === last ? `row ${firstPart}` : `rows ${firstPart}–${last}`;
}

function formatPointerRange(parts: readonly Part[]): string | undefined {
  const pointers = parts.flatMap(({ block: { pointer } }) => pointer ?? []);
  const [firstPart, last] = [pointers[0], pointers.at(-1)];
  return firstPart === last ? firstPart : `${firstPart ?? ''} – ${last ?? ''}`;
}

/** Describes a block, or a piece of a block, as part of a fragment. */
export interface Part {
  readonly block: Block;
  readonly text: string;
  /** Rectangles of the text on its pages. */
  readonly rectangles: readonly TextRectangle[];
  readonly tokens: number;
  /**
   * Text between the previous part and this part. Empty between two pieces of a block, because pieces contain their
   * white space.
   */
  readonly separator: string;
  /** True if the text repeats text of the previous fragment. Repeated parts are the first parts of a fragment. */
  readonly repeated: boolean;
  /**
   * Numbers of the first and the last row of the part, not counting the empty rows of the block. Null unless the part
   * belongs to a table with numbered rows.
   */
  readonly rows: readonly [number, number] | null;
}

export const BETWEEN_BLOCKS = '\n\n';

interface JoinedParts {
  readonly text: string;
  /** Number of characters at the start of `text` that repeat the previous fragment. */
  readonly repeated: number;
  /**
   * Position of each part in `text`. The first position is negative if white space was removed from the start of the
   * text.
   */
  readonly starts: readonly number[];
}

/** Joins parts into the text of a fragment. */
export function joinPartTexts(parts: readonly Part[]): JoinedParts {
  const starts: number[] = [];
  let text = '';
  let repeated = 0;
  for (const [index, part] of parts.entries()) {
    text += index === 0 ? trimPartStart(part) : part.separator + part.text;
    starts.push(text.length - part.text.length);
    if (part.repeated) repeated = text.length;
  }
  return { text: text.trimEnd(), repeated: Math.min(repeated, text.trimEnd().length), starts };
}

/** Returns the rectangles of joined parts. @param starts positions of the parts in the text */
function collectTextRectangles(parts: readonly Part[], starts: readonly number[]): readonly TextRectangle[] {
  return parts.flatMap(({ rectangles }, index) => {
    const offset = starts[index] ?? 0;
    return rectangles.map((rectangle) => ({
      ...rectangle,
      start: rectangle.start + offset,
      end: rectangle.end + offset,
    }));
  });
}

/** Removes white space from the start of a part, except the indentation of code. */
function trimPartStart(part: Part): string {
  return part.block.kind === 'code' ? part.text.replace(/^\n+/, '') : part.text.trimStart();
}

/** Upper bound of the average number of characters per token. Limits the text from which the overlap is selected. */
const CHARACTERS_PER_TOKEN = 12;

/**
 * Selects the overlap, which is the text that the next fragment repeats. It is the last whole sentences with at most
 * `maxTokens` tokens, or the last whole words if no sentence fits. It is '' if no word fits, or if the whole text fits.
 */
export function selectOverlapText(parts: readonly Part[], maxTokens: number): Pick<Part, 'text' | 'rectangles'> {
  if (maxTokens === 0) return { text: '', rectangles: [] };
  const { text, starts } = joinPartTexts(parts);
  const near = text.slice(-maxTokens * CHARACTERS_PER_TOKEN);
  // The first sentence and the first word of the slice can be incomplete.
  const sentences = joinLastSlices(splitIntoSentences(near), maxTokens, near.length < text.length);
  const found =
    sentences === '' ? joinLastSlices(splitIntoWords(near), maxTokens, near.length < text.length) : sentences;
  const overlap = found.trim();
  if (overlap.length >= text.length) return { text: '', rectangles: [] };
  const rectangles = sliceTextRectangles(
    collectTextRectangles(parts, starts),
    text.length - overlap.length,
    text.length,
  );
  return { text: overlap, rectangles };
}

function joinLastSlices(slices: readonly string[], maxTokens: number, skipFirst: boolean): string {
  let budget = maxTokens;
  let start = slices.length;
  while (start > (skipFirst ? 1 : 0)) {
    budget -= countTokens(slices[start - 1] ?? '');
    if (budget < 0) break;
    start -= 1;
  }
  return slices.slice(start).join('');
}

/**
 * Returns whether two blocks belong to one running text: both are text or lists with the same headings and location.
 * Between such blocks, overlap helps to understand the second one.
 */
export function isOneRunningText(one: Part['block'], other: Part['block']): boolean {
  const areRunningText = isRunningTextBlock(one) && isRunningTextBlock(other);
  return (
    areRunningText && one.headingPath.join('\n') === other.headingPath.join('\n') && one.location === other.location
  );
}

function isRunningTextBlock(block: Part['block']): boolean {
  return block.kind === 'text' || block.kind === 'list';
}
