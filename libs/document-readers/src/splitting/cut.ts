import { findSentenceStarts } from '@quarry/text-analysis/sentence-starts';
import { countTokens } from '@quarry/text-analysis/tokens';
import type { BlockKind } from '../readers/block.js';

const WORDS = new Intl.Segmenter('und', { granularity: 'word' });
const CHARACTERS = new Intl.Segmenter('und', { granularity: 'grapheme' });

/*
 * Each function cuts a text into parts whose concatenation is the text. White space between two parts belongs to the
 * second part: a tokenizer then counts ` word` as it does inside the sentence.
 */

export function splitIntoSentences(text: string): readonly string[] {
  // Any text is treated as German, so that no ordinal is separated from its noun. A part may be two sentences.
  const starts = findSentenceStarts(text, () => true);
  return sliceTextAt(text, starts);
}

export function splitIntoWords(text: string): readonly string[] {
  return sliceTextAt(text, findSegmentStarts(WORDS, text));
}

/** Cuts a text between grapheme clusters, and so never inside a code point. */
function splitIntoCharacters(text: string): readonly string[] {
  return [...CHARACTERS.segment(text)].map((segment) => segment.segment);
}

function splitIntoLines(text: string): readonly string[] {
  return sliceTextAt(text, findMatchStarts(/\n/g, text));
}

const ITEM = /\n(?=(?:[-*+•‣▪◦–·]|\(?(?:\d{1,3}|[A-Za-z])[.)])\s)/g;

/** Cuts a list into its outermost items, each with its nested items. */
function splitIntoListItems(text: string): readonly string[] {
  return sliceTextAt(text, findMatchStarts(ITEM, text));
}

function findSegmentStarts(segmenter: Intl.Segmenter, text: string): number[] {
  return [...segmenter.segment(text)].map((segment) => segment.index);
}

function findMatchStarts(pattern: RegExp, text: string): number[] {
  return [...text.matchAll(pattern)].map((match) => match.index);
}

/** Splits `text` at the given offsets. White space directly before an offset belongs to the part after the offset. */
function sliceTextAt(text: string, starts: readonly number[]): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (const start of starts) {
    const cut = findStartOfSpaceBefore(text, start);
    if (cut > from) {
      parts.push(text.slice(from, cut));
      from = cut;
    }
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

function findStartOfSpaceBefore(text: string, index: number): number {
  let cut = index;
  while (cut > 0 && /\s/.test(text.charAt(cut - 1))) cut -= 1;
  return cut;
}

/** Describes a part of a block that is not divided between fragments. */
export interface Piece {
  readonly text: string;
  readonly tokens: number;
}

type Cutter = (text: string) => readonly string[];

/**
 * Lists the functions that cut a block at boundaries, from coarse to fine, for each kind of block. A piece that is
 * still too long is cut by the next function.
 */
const CUTTERS: Readonly<Record<BlockKind, readonly Cutter[]>> = {
  heading: [splitIntoWords, splitIntoCharacters, splitIntoCodePoints],
  text: [splitIntoSentences, splitIntoLines, splitIntoWords, splitIntoCharacters, splitIntoCodePoints],
  list: [
    splitIntoListItems,
    splitIntoLines,
    splitIntoSentences,
    splitIntoWords,
    splitIntoCharacters,
    splitIntoCodePoints,
  ],
  table: [splitIntoLines, splitIntoSentences, splitIntoWords, splitIntoCharacters, splitIntoCodePoints],
  code: [splitIntoLines, splitIntoWords, splitIntoCharacters, splitIntoCodePoints],
};

export interface CutLimits {
  /** Maximum number of tokens of a part that is not cut. A part is the text between two boundaries. */
  readonly maxWholeTokens: number;
  /** Maximum number of tokens of each piece of a part that is cut. */
  readonly maxPieceTokens: number;
}

/** Cuts a text into pieces within the limits. The concatenation of the pieces is the text. */
export function cutTextIntoPieces(kind: BlockKind, text: string, limits: CutLimits): readonly Piece[] {
  const [first, ...finer] = CUTTERS[kind];
  return first === undefined ? [] : cutAtBoundaries(first, finer, text, limits);
}

function cutAtBoundaries(cutter: Cutter, finer: readonly Cutter[], text: string, limits: CutLimits): readonly Piece[] {
  const [next, ...rest] = finer;
  return cutter(text).flatMap((part) => {
    const tokens = countTokens(part);
    if (tokens <= limits.maxWholeTokens || next === undefined) return [{ text: part, tokens }];
    return mergePieces(
      cutAtBoundaries(next, rest, part, {
        maxWholeTokens: limits.maxPieceTokens,
        maxPieceTokens: limits.maxPieceTokens,
      }),
      limits.maxPieceTokens,
    );
  });
}

/** Merges consecutive pieces up to `maxTokens`, because every word or character would otherwise be a piece. */
function mergePieces(pieces: readonly Piece[], maxTokens: number): readonly Piece[] {
  const runs: Piece[][] = [];
  let budget = 0;
  for (const piece of pieces) {
    const last = runs.at(-1);
    if (last !== undefined && piece.tokens <= budget) {
      last.push(piece);
      budget -= piece.tokens;
    } else {
      runs.push([piece]);
      budget = maxTokens - piece.tokens;
    }
  }
  return runs.flatMap((run) => mergeRunOfPieces(run, maxTokens));
}

/**
 * Merges consecutive pieces. If the merged text exceeds `maxTokens`, merges each half of the pieces separately. A
 * merged text can have more tokens than the sum of its pieces, because the tokenizer merges byte pairs in the order of
 * their rank.
 */
function mergeRunOfPieces(run: readonly Piece[], maxTokens: number): readonly Piece[] {
  const text = run.map((piece) => piece.text).join('');
  const tokens = countTokens(text);
  if (tokens <= maxTokens || run.length === 1) return [{ text, tokens }];
  const half = Math.ceil(run.length / 2);
  return [...mergeRunOfPieces(run.slice(0, half), maxTokens), ...mergeRunOfPieces(run.slice(half), maxTokens)];
}

function splitIntoCodePoints(text: string): readonly string[] {
  return Array.from(text);
}
