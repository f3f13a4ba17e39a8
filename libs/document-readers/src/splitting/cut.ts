import { countTokens } from '@quarry/text-analysis/tokens';
import type { BlockKind } from '../readers/block.js';
import { charactersOf, itemsOf, linesOf, sentencesOf, wordsOf } from './slices.js';

/** Describes a part of a block that is kept in one fragment. */
export interface Piece {
  readonly text: string;
  readonly tokens: number;
}

type Cutter = (text: string) => readonly string[];

/** How blocks of each kind are cut: at the first kind of boundary, and pieces that are still too long at the next ones. */
const CUTTERS: Readonly<Record<BlockKind, readonly Cutter[]>> = {
  heading: [wordsOf, charactersOf, codePointsOf],
  text: [sentencesOf, linesOf, wordsOf, charactersOf, codePointsOf],
  list: [itemsOf, linesOf, sentencesOf, wordsOf, charactersOf, codePointsOf],
  table: [linesOf, sentencesOf, wordsOf, charactersOf, codePointsOf],
  code: [linesOf, wordsOf, charactersOf, codePointsOf],
};

export interface CutLimits {
  /** A part with more tokens is cut. */
  readonly maxWholeTokens: number;
  /** Token budget of the pieces that result from cutting. */
  readonly maxPieceTokens: number;
}

/** Cuts a text into pieces within the limits. The concatenated pieces are the text. */
export function cut(kind: BlockKind, text: string, limits: CutLimits): readonly Piece[] {
  const [first, ...finer] = CUTTERS[kind];
  return first === undefined ? [] : cutWith(first, finer, text, limits);
}

function cutWith(cutter: Cutter, finer: readonly Cutter[], text: string, limits: CutLimits): readonly Piece[] {
  const [next, ...rest] = finer;
  return cutter(text).flatMap((part) => {
    const tokens = countTokens(part);
    if (tokens <= limits.maxWholeTokens || next === undefined) return [{ text: part, tokens }];
    return mergePieces(
      cutWith(next, rest, part, { maxWholeTokens: limits.maxPieceTokens, maxPieceTokens: limits.maxPieceTokens }),
      limits.maxPieceTokens,
    );
  });
}

/** Merges consecutive pieces up to the token budget, because single words and characters would be many pieces. */
function mergePieces(pieces: readonly Piece[], limit: number): readonly Piece[] {
  const runs: Piece[][] = [];
  let budget = 0;
  for (const piece of pieces) {
    const last = runs.at(-1);
    if (last !== undefined && piece.tokens <= budget) {
      last.push(piece);
      budget -= piece.tokens;
    } else {
      runs.push([piece]);
      budget = limit - piece.tokens;
    }
  }
  return runs.flatMap((run) => mergeRun(run, limit));
}

/** Merged characters can have more tokens than their sum, because byte pairs merge by rank. Such a run is split in half. */
function mergeRun(run: readonly Piece[], limit: number): readonly Piece[] {
  const text = run.map((piece) => piece.text).join('');
  const tokens = countTokens(text);
  if (tokens <= limit || run.length === 1) return [{ text, tokens }];
  const half = Math.ceil(run.length / 2);
  return [...mergeRun(run.slice(0, half), limit), ...mergeRun(run.slice(half), limit)];
}

function codePointsOf(text: string): readonly string[] {
  return Array.from(text);
}
