import type { SplittingSettings } from '@quarry/contracts';
import { getMaxOverlapTokens } from '@quarry/text-analysis/overlap';
import { countTokens } from '@quarry/text-analysis/tokens';
import type { Block } from '../readers/block.js';
import { sliceTextRectangles } from '../readers/text-rectangle.js';
import { cutTextIntoPieces, type CutLimits, type Piece } from './cut.js';
import {
  BETWEEN_BLOCKS,
  buildFragment,
  isOneRunningText,
  joinPartTexts,
  type Part,
  selectOverlapText,
} from './build-fragment.js';
import type { Fragment } from './fragment.js';
/** Maximum number of tokens of the line ends between two blocks. */
const SEPARATOR_TOKENS = 2;

/** Describes the header of a table, and the text of the rows below. */
interface TableHeader {
  readonly piece: Piece & Pick<Part, 'rectangles'>;
  readonly body: string;
}

/**
 * Splits blocks into fragments, by structure first, then by tokens:
 *
 * - All text is kept, in order. A fragment has at most `maxTokens`.
 * - A heading starts a new fragment if the current fragment is at least a quarter full. A heading never ends a
 *   fragment. A change of location (sheet, slide) always starts a new fragment.
 * - A sentence that introduces the next block with a colon moves to the next fragment together with that block.
 * - A block that does not fit starts a new fragment if the current fragment is at least half full. Otherwise the block
 *   is cut: text between sentences, lists between items, code between lines, and tables between rows. The table header
 *   is repeated if it fits.
 * - A row, item or line above the limit is cut between sentences, then words, then characters. Every part of a row gets
 *   the header.
 * - Overlap is added only within running text: never after a heading, a table or code.
 */
export class Splitter {
  readonly #documentName: string;
  readonly #maxTokens: number;
  readonly #overlapTokens: number;
  #parts: Part[] = [];
  #used = 0;

  constructor(documentName: string, settings: SplittingSettings) {
    this.#documentName = documentName;
    this.#maxTokens = settings.maxTokens;
    this.#overlapTokens = getMaxOverlapTokens(settings);
  }

  /** Adds a block and yields the fragments that are complete. */
  *addBlock(block: Block): Generator<Fragment> {
    if (this.#isAtOtherLocation(block)) yield* this.#closeFragment({ isDeferred: () => false });
    else if (this.#shouldStartFragment(block)) yield* this.#closeFragment();
    const tokens = countTokens(block.text);
    if (!this.#hasRoomFor(tokens + SEPARATOR_TOKENS) && this.#used * 2 >= this.#maxTokens) {
      yield* this.#closeFragmentBefore(block, 0, Math.min(tokens, this.#maxTokens));
    }
    if (this.#hasRoomFor(tokens + SEPARATOR_TOKENS)) this.#pushPart(createWholePart(block, tokens));
    else yield* this.#addBlockInPieces(block);
  }

  *endDocument(): Generator<Fragment> {
    yield* this.#closeFragment({ last: true });
  }

  *#addBlockInPieces(block: Block): Generator<Fragment> {
    const header = extractTableHeader(block, this.#maxTokens);
    const pieces = cutTextIntoPieces(
      block.kind,
      header === null ? block.text : header.body,
      this.#getCutLimits(block, header),
    );
    const { firstRow = null } = block;
    // Without an extracted header, the pieces begin with the lines of the header.
    let row = firstRow === null ? null : firstRow - (header === null ? (block.headerLines ?? 0) : 0);
    let start = header === null ? 0 : block.text.length - header.body.length;
    if (header !== null) {
      const needed = header.piece.tokens + (pieces[0]?.tokens ?? 0) + 2 * SEPARATOR_TOKENS;
      if (!this.#hasRoomFor(needed)) yield* this.#closeFragmentBefore(block, 0, needed);
      this.#pushPart({ ...header.piece, block, separator: BETWEEN_BLOCKS, repeated: false, rows: null });
    }
    for (const [index, piece] of pieces.entries()) {
      const lines = row === null ? null : findRowRange(piece, row, index === 0);
      const rows = lines === null || firstRow === null ? null : omitHeaderRows(lines, firstRow);
      const separator = index === 0 ? (header === null ? BETWEEN_BLOCKS : '\n') : '';
      const end = start + piece.text.length;
      const rectangles = sliceTextRectangles(block.rectangles ?? [], start, end);
      yield* this.#addPiece(block, { ...piece, rectangles, separator, rows }, header);
      start = end;
      row = lines?.[1] ?? null;
    }
  }

  /** Adds a piece to the current fragment, or to the next fragment if the piece does not fit. */
  *#addPiece(
    block: Block,
    piece: Piece & Pick<Part, 'rectangles' | 'separator' | 'rows'>,
    header: TableHeader | null,
  ): Generator<Fragment> {
    if (
      !this.#hasRoomFor(piece.tokens + (piece.separator === '' ? 0 : SEPARATOR_TOKENS)) &&
      this.#parts.some(isUnrepeatedPart)
    ) {
      yield* this.#closeFragmentBefore(block, piece.tokens);
      // Omits the header if it does not fit, because a row without a header is better than a row that is cut.
      if (header !== null && this.#hasRoomFor(header.piece.tokens + piece.tokens + SEPARATOR_TOKENS)) {
        this.#pushPart({ ...header.piece, block, separator: '', repeated: true, rows: null }, 'first');
      }
    }
    this.#pushPart({ ...piece, block, repeated: false });
  }

  /**
   * Closes the current fragment. The next fragment begins with overlap if `block` continues the text of the current
   * one.
   *
   * @param tokens number of tokens that must still fit into the next fragment after the overlap
   * @param next number of tokens of the first new part of the next fragment
   */
  *#closeFragmentBefore(block: Block, tokens: number, next = tokens): Generator<Fragment> {
    const before = this.#parts.filter(isUnrepeatedPart);
    const running = before.slice(before.findLastIndex((part) => !isOneRunningText(part.block, block)) + 1);
    yield* this.#closeFragment({
      isDeferred: (part) =>
        isHeadingPart(part) || (isIntroductionPart(part, block) && this.#canMoveToNextFragment(part, next)),
    });
    if (this.#parts.length > 0 || running.length === 0) return;
    const selected = selectOverlapText(running, this.#overlapTokens);
    const overlap = { ...selected, tokens: countTokens(selected.text), separator: '', repeated: true, rows: null };
    if (selected.text !== '' && this.#hasRoomFor(overlap.tokens + tokens)) this.#pushPart({ block, ...overlap });
  }

  /** Closes the current fragment. Parts that must not end a fragment, or that do not fit, move to the next fragment. */
  *#closeFragment({ last = false, isDeferred = isHeadingPart } = {}): Generator<Fragment> {
    const deferred: Part[] = [];
    const parts = this.#parts;
    while (!last && parts.slice(-1).some(isDeferred) && !parts.every(isDeferred)) {
      deferred.unshift(...parts.splice(-1));
    }
    let tokens = countTokens(joinPartTexts(parts).text);
    while (tokens > this.#maxTokens && parts.length > 1) {
      if (parts.filter(isUnrepeatedPart).length > 1) deferred.unshift(...parts.splice(-1));
      else parts.shift();
      tokens = countTokens(joinPartTexts(parts).text);
    }
    this.#parts = [];
    this.#used = 0;
    if (parts.some(isUnrepeatedPart)) yield buildFragment(this.#documentName, parts, tokens);
    for (const part of deferred) this.#pushPart(part);
    if (last && deferred.length > 0) yield* this.#closeFragment({ last });
  }

  /**
   * Returns whether a part has at most an eighth of the maximum number of tokens, and fits into the next fragment
   * before a part of `tokens` tokens.
   */
  #canMoveToNextFragment(part: Part, tokens: number): boolean {
    return part.tokens * 8 <= this.#maxTokens && part.tokens + tokens + 2 * SEPARATOR_TOKENS <= this.#maxTokens;
  }

  #isAtOtherLocation(block: Block): boolean {
    const before = this.#parts.at(-1)?.block;
    return before !== undefined && before.location !== block.location;
  }

  #shouldStartFragment(block: Block): boolean {
    const before = this.#parts.at(-1)?.block;
    if (before === undefined) return false;
    return block.kind === 'heading' && before.kind !== 'heading' && this.#used * 4 >= this.#maxTokens;
  }

  #pushPart(part: Part, end: 'first' | 'last' = 'last'): void {
    if (end === 'first') this.#parts.unshift(part);
    else this.#parts.push(part);
    this.#used += part.tokens + (part.separator === '' ? 0 : SEPARATOR_TOKENS);
  }

  #hasRoomFor(tokens: number): boolean {
    return this.#used + tokens <= this.#maxTokens;
  }

  /**
   * Returns the limits for cutting a block. Pieces leave room for a repeated header or overlap. A table row is kept
   * whole if it fits without the header.
   */
  #getCutLimits(block: Block, header: TableHeader | null): CutLimits {
    const overlap = block.kind === 'table' ? 0 : this.#overlapTokens;
    const usedTokens = header === null ? overlap : header.piece.tokens + SEPARATOR_TOKENS;
    const most = this.#maxTokens - SEPARATOR_TOKENS;
    return { maxWholeTokens: block.kind === 'table' ? most : most - usedTokens, maxPieceTokens: most - usedTokens };
  }
}

function isUnrepeatedPart(part: Part): boolean {
  return !part.repeated;
}

function isHeadingPart(part: Part): boolean {
  return part.block.kind === 'heading';
}

/** Returns whether a part introduces a block, as in "The steps are:". */
function isIntroductionPart({ block: { kind, headingPath }, text, repeated }: Part, block: Block): boolean {
  const sameSection = headingPath.join('\n') === block.headingPath.join('\n');
  return !repeated && kind === 'text' && block.kind !== 'heading' && sameSection && /[^:：][:：]$/.test(text.trimEnd());
}

function createWholePart(block: Block, tokens: number): Part {
  const body = block.text.split('\n').length - (block.headerLines ?? 0);
  const rows: [number, number] | null =
    block.firstRow === undefined || body < 1 ? null : [block.firstRow, block.firstRow + body - 1];
  return {
    block,
    text: block.text,
    rectangles: block.rectangles ?? [],
    tokens,
    separator: BETWEEN_BLOCKS,
    repeated: false,
    rows,
  };
}

/**
 * Returns the numbers of the first and the last row of a piece of a table. A line end starts a row. A piece that does
 * not begin with a line end continues the row of the previous piece. @param previousRow number of the last row of the
 * previous piece; for the first piece, the number of its first row
 */
function findRowRange(piece: Piece, previousRow: number, isFirstPiece: boolean): [number, number] {
  const lineEnds = piece.text.split('\n').length - 1;
  const beginsRow = !isFirstPiece && piece.text.startsWith('\n');
  return [previousRow + (beginsRow ? 1 : 0), previousRow + lineEnds];
}

/** Returns a range without the lines of a header, which are before the first row. Returns null for the header alone. */
function omitHeaderRows([first, last]: readonly [number, number], firstRow: number): [number, number] | null {
  return last < firstRow ? null : [Math.max(first, firstRow), last];
}

/**
 * Extracts the header of a table. Returns null if the table has no header or no rows, or if the header fills more than
 * half of a fragment.
 */
function extractTableHeader(block: Block, maxTokens: number): TableHeader | null {
  if (block.kind !== 'table' || block.headerLines === undefined || block.headerLines === 0) return null;
  const lines = block.text.split('\n');
  const text = lines.slice(0, block.headerLines).join('\n');
  const tokens = countTokens(text);
  const body = lines.slice(block.headerLines).join('\n');
  const rectangles = sliceTextRectangles(block.rectangles ?? [], 0, text.length);
  return tokens * 2 > maxTokens || body === '' ? null : { piece: { text, rectangles, tokens }, body };
}
