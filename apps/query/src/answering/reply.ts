import type { AnswerNote, AnswerUsage } from '@quarry/contracts';
import type { ScoredFragment } from '@quarry/fragment-store';

/** How an answer ended, besides its text. */
export interface ReplyEnd {
  readonly answeredBy: 'model' | 'extractive';
  /** Best first. */
  readonly sources: readonly ScoredFragment[];
  /** The places of the sources that the text rests on, from 0. */
  readonly cited: ReadonlySet<number>;
  readonly usage: AnswerUsage;
  /** What the model did not do as requested. */
  readonly notes: readonly AnswerNote[];
}

/** The pieces of an answer's text as they come, and its end. */
export type Reply = AsyncGenerator<string, ReplyEnd>;

export const NO_USAGE: AnswerUsage = { promptTokens: 0, completionTokens: 0 };

const PIECE = /\s*\S{1,20}|\s+/gu;

/** A text that is known whole, in pieces of about a word. */
export function piecesOf(text: string): string[] {
  return text.match(PIECE) ?? [];
}
