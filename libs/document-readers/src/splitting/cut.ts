import { countTokens } from '@quarry/text-analysis/tokens';
import type { BlockKind } from '../readers/block.js';
import { charactersOf, itemsOf, linesOf, sentencesOf, wordsOf } from './slices.js';

/** A part of a block that stays in one fragment. */
export interface Piece {
  readonly text: string;
  readonly tokens: number;
}

type Cutter = (text: string) => readonly string[];

/** How each kind is cut where it is too long: first into what belongs together, and what is still too long more finely. */
const CUTTERS: Readonly<Record<BlockKind, readonly Cutter[]>> = {
  heading: [wordsOf, charactersOf, codePointsOf],
  text: [sentencesOf, linesOf, wordsOf, charactersOf, codePointsOf],
  list: [itemsOf, linesOf, sentencesOf, wordsOf, charactersOf, codePointsOf],
  table: [linesOf, sentencesOf, wordsOf, charactersOf, codePointsOf],
  code: [linesOf, wordsOf, charactersOf, codePointsOf],
};

export interface CutLimits {
  /** What has more tokens is cut. */
  readonly whole: number;
  /** Of the pieces of what is cut. */
  readonly piece: number;
}

/** Cuts a text into pieces within the limits that make up the text again when they are joined. */
export function cut(kind: BlockKind, text: string, limits: CutLimits): readonly Piece[] {
  const [first, ...finer] = CUTTERS[kind];
  return first === undefined ? [] : cutWith(first, finer, text, limits);
}

function cutWith(cutter: Cutter, finer: readonly Cutter[], text: string, limits: CutLimits): readonly Piece[] {
  const [next, ...rest] = finer;
  return cutter(text).flatMap((part) => {
    const tokens = countTokens(part);
    if (tokens <= limits.whole || next === undefined) return [{ text: part, tokens }];
    return joined(cutWith(next, rest, part, { whole: limits.piece, piece: limits.piece }), limits.piece);
  });
}

/** Words and characters one by one would be many pieces: as many as fit are one. */
function joined(pieces: readonly Piece[], limit: number): readonly Piece[] {
  const runs: Piece[][] = [];
  let room = 0;
  for (const piece of pieces) {
    const last = runs.at(-1);
    if (last !== undefined && piece.tokens <= room) {
      last.push(piece);
      room -= piece.tokens;
    } else {
      runs.push([piece]);
      room = limit - piece.tokens;
    }
  }
  return runs.flatMap((run) => asOne(run, limit));
}

/** Joined, characters can have more tokens than each for itself: byte pairs are merged by rank, not to the smallest number. */
function asOne(run: readonly Piece[], limit: number): readonly Piece[] {
  const text = run.map((piece) => piece.text).join('');
  const tokens = countTokens(text);
  if (tokens <= limit || run.length === 1) return [{ text, tokens }];
  const half = Math.ceil(run.length / 2);
  return [...asOne(run.slice(0, half), limit), ...asOne(run.slice(half), limit)];
}

function codePointsOf(text: string): readonly string[] {
  return Array.from(text);
}
