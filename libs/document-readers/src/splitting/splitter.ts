import type { SplittingSettings } from '@quarry/contracts';
import { countTokens } from '@quarry/text-analysis/tokens';
import type { Block } from '../readers/block.js';
import { cut, type CutLimits, type Piece } from './cut.js';
import { fragmentOf } from './fragment-of.js';
import type { Fragment } from './fragment.js';
import { overlapOf, sameFlow } from './overlap.js';
import { BETWEEN_BLOCKS, joinParts, type Part } from './part.js';

/** What the line ends between two blocks may cost. */
const GLUE_TOKENS = 2;

/**
 * Blocks to fragments, by structure first, then by tokens:
 *
 * - Nothing is lost, and the order is kept. A fragment never has more than `maxTokens`.
 * - A heading begins a new fragment once a quarter of one is filled, and never ends one. So does another place (sheet, slide).
 * - A sentence that announces what follows, with a colon, goes with it rather than ending a fragment.
 * - A block that does not fit begins a new fragment when half of one is filled; else it is cut: text between sentences, lists
 *   between items, code between lines, tables between rows, with the header repeated where it has room.
 * - A row, item or line that is over the limit by itself is cut between sentences, a sentence between words, a word between
 *   characters. The later parts of a row have the header in front of them too.
 * - The end of a fragment is repeated in the next one only where the same text runs on: never over a heading, a table or code.
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
    this.#overlapTokens = Math.min(settings.overlapTokens, Math.floor(settings.maxTokens / 2));
  }

  /** @returns the fragments that are complete now */
  *add(block: Block): Generator<Fragment> {
    if (this.#beginsAnew(block)) yield* this.#close();
    const tokens = countTokens(block.text);
    if (!this.#fits(tokens + GLUE_TOKENS) && this.#used * 2 >= this.#maxTokens) {
      yield* this.#closeBefore(block, 0, Math.min(tokens, this.#maxTokens));
    }
    if (this.#fits(tokens + GLUE_TOKENS)) this.#push(wholeBlock(block, tokens));
    else yield* this.#addInPieces(block);
  }

  *end(): Generator<Fragment> {
    yield* this.#close({ last: true });
  }

  *#addInPieces(block: Block): Generator<Fragment> {
    const header = tableHeader(block, this.#maxTokens);
    const pieces = cut(block.kind, header === null ? block.text : header.body, this.#limits(block, header));
    let row = block.firstRow ?? null;
    if (header !== null) {
      const start = header.piece.tokens + (pieces[0]?.tokens ?? 0) + 2 * GLUE_TOKENS;
      if (!this.#fits(start)) yield* this.#closeBefore(block, 0, start);
      this.#push({ ...header.piece, block, glue: BETWEEN_BLOCKS, repeated: false, rows: null });
    }
    for (const [index, piece] of pieces.entries()) {
      const rows = row === null ? null : rowsOf(piece, row, index === 0);
      const glue = index === 0 ? (header === null ? BETWEEN_BLOCKS : '\n') : '';
      yield* this.#pushOrClose(block, { ...piece, glue, rows }, header);
      row = rows?.[1] ?? null;
    }
  }

  /** Puts a piece into the fragment, or into the next one when this one is full. */
  *#pushOrClose(
    block: Block,
    piece: Piece & Pick<Part, 'glue' | 'rows'>,
    header: TableHeader | null,
  ): Generator<Fragment> {
    if (!this.#fits(piece.tokens + (piece.glue === '' ? 0 : GLUE_TOKENS)) && this.#parts.some(isFresh)) {
      yield* this.#closeBefore(block, piece.tokens);
      // A row that has no room beside its header is better whole than with it.
      if (header !== null && this.#fits(header.piece.tokens + piece.tokens + GLUE_TOKENS)) {
        this.#push({ ...header.piece, block, glue: '', repeated: true, rows: null }, 'first');
      }
    }
    this.#push({ ...piece, block, repeated: false });
  }

  /**
   * Closes the fragment; what comes next goes on with its last sentences when it is the same running text.
   *
   * @param tokens for which overlap leaves room
   * @param next the tokens of what comes first
   */
  *#closeBefore(block: Block, tokens: number, next = tokens): Generator<Fragment> {
    const before = this.#parts.filter(isFresh);
    const flow = before.slice(before.findLastIndex((part) => !sameFlow(part.block, block)) + 1);
    yield* this.#close({ stays: (part) => isHeading(part) || (announces(part, block) && this.#haveRoom(part, next)) });
    if (this.#parts.length > 0 || flow.length === 0) return;
    const text = overlapOf(flow, this.#overlapTokens);
    const overlap = { block, text, tokens: countTokens(text), glue: '', repeated: true, rows: null };
    if (text !== '' && this.#fits(overlap.tokens + tokens)) this.#push(overlap);
  }

  /** Parts that must not end the fragment, or make it too long after all, stay for the next one. */
  *#close({ last = false, stays = isHeading } = {}): Generator<Fragment> {
    const staying: Part[] = [];
    const parts = this.#parts;
    while (!last && parts.slice(-1).some(stays) && !parts.every(stays)) {
      staying.unshift(...parts.splice(-1));
    }
    let tokens = countTokens(joinParts(parts).text);
    while (tokens > this.#maxTokens && parts.length > 1) {
      if (parts.filter(isFresh).length > 1) staying.unshift(...parts.splice(-1));
      else parts.shift();
      tokens = countTokens(joinParts(parts).text);
    }
    this.#parts = [];
    this.#used = 0;
    if (parts.some(isFresh)) yield fragmentOf(this.#documentName, parts, tokens);
    for (const part of staying) this.#push(part);
    if (last && staying.length > 0) yield* this.#close({ last });
  }

  #haveRoom(part: Part, tokens: number): boolean {
    return part.tokens * 8 <= this.#maxTokens && part.tokens + tokens + 2 * GLUE_TOKENS <= this.#maxTokens;
  }

  #beginsAnew(block: Block): boolean {
    const before = this.#parts.at(-1)?.block;
    if (before === undefined) return false;
    if (before.location !== block.location) return true;
    return block.kind === 'heading' && before.kind !== 'heading' && this.#used * 4 >= this.#maxTokens;
  }

  #push(part: Part, place: 'first' | 'last' = 'last'): void {
    if (place === 'first') this.#parts.unshift(part);
    else this.#parts.push(part);
    this.#used += part.tokens + (part.glue === '' ? 0 : GLUE_TOKENS);
  }

  #fits(tokens: number): boolean {
    return this.#used + tokens <= this.#maxTokens;
  }

  /** A piece leaves room for a header or the overlap in front of it; a row of a table is whole where it has room at all. */
  #limits(block: Block, header: TableHeader | null): CutLimits {
    const overlap = block.kind === 'table' ? 0 : this.#overlapTokens;
    const taken = header === null ? overlap : header.piece.tokens + GLUE_TOKENS;
    const most = this.#maxTokens - GLUE_TOKENS;
    return { whole: block.kind === 'table' ? most : most - taken, piece: most - taken };
  }
}

function isFresh(part: Part): boolean {
  return !part.repeated;
}

function isHeading(part: Part): boolean {
  return part.block.kind === 'heading';
}

/** Whether a part says what `block` is: the steps are as follows. */
function announces({ block: { kind, headingPath }, text, repeated }: Part, block: Block): boolean {
  const sameSection = headingPath.join('\n') === block.headingPath.join('\n');
  return !repeated && kind === 'text' && block.kind !== 'heading' && sameSection && /[^:：][:：]$/.test(text.trimEnd());
}

function wholeBlock(block: Block, tokens: number): Part {
  const body = block.text.split('\n').length - (block.headerLines ?? 0);
  const rows: [number, number] | null =
    block.firstRow === undefined || body < 1 ? null : [block.firstRow, block.firstRow + body - 1];
  return { block, text: block.text, tokens, glue: BETWEEN_BLOCKS, repeated: false, rows };
}

/** A line end begins a row; a piece without one goes on with the row before. */
function rowsOf(piece: Piece, row: number, isFirst: boolean): [number, number] {
  const lineEnds = piece.text.split('\n').length - 1;
  const beginsRow = !isFirst && piece.text.startsWith('\n');
  return [row + (beginsRow ? 1 : 0), row + lineEnds];
}

/** The lines that name a table's columns, and the rows below them. */
interface TableHeader {
  readonly piece: Piece;
  readonly body: string;
}

/** @returns null when the block has none, or one that would take half of every fragment: then it is a row like any other */
function tableHeader(block: Block, maxTokens: number): TableHeader | null {
  if (block.kind !== 'table' || block.headerLines === undefined || block.headerLines === 0) return null;
  const lines = block.text.split('\n');
  const text = lines.slice(0, block.headerLines).join('\n');
  const tokens = countTokens(text);
  const body = lines.slice(block.headerLines).join('\n');
  return tokens * 2 > maxTokens || body === '' ? null : { piece: { text, tokens }, body };
}
