import type { AnswerNote, AnswerUsage } from '@quarry/contracts';
import type { ScoredFragment } from '@quarry/fragment-store';

/** Describes the end of an answer, without its text. */
export interface ReplyEnd {
  readonly answeredBy: 'model' | 'extractive';
  /** Sources in rank order, best first. */
  readonly sources: readonly ScoredFragment[];
  /** Zero-based indexes of the sources that the text cites. */
  readonly cited: ReadonlySet<number>;
  readonly usage: AnswerUsage;
  /** Deviations of the model from the request, such as a truncated answer. */
  readonly notes: readonly AnswerNote[];
}

/** Yields the text of an answer in pieces and returns its end. */
export type Reply = AsyncGenerator<string, ReplyEnd>;

export const NO_USAGE: AnswerUsage = { promptTokens: 0, completionTokens: 0 };

const PIECE = /\s*\S{1,20}|\s+/gu;

/** Splits a complete text into pieces of about one word. */
export function splitIntoPieces(text: string): string[] {
  return text.match(PIECE) ?? [];
}
