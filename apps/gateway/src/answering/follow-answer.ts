import type { AgentQueryResponse, AnswerEvent, AnswerNote, AnswerUsage, CitedFragment } from '@quarry/contracts';
import { toProblem, type Log, type Problem } from '@quarry/service-kit';
import type { Turn } from '../conversations/turn.js';
import { translateFailure } from '../query-service/refusal.js';

/** An answer in progress. */
export interface OpenAnswer {
  readonly turn: Turn;
  readonly events: AsyncIterable<AnswerEvent>;
  /** Aborts the answer. Its reason is the cause. */
  readonly signal: AbortSignal;
  /** Keeps the complete answer for repeated requests. Called before the end is sent. Never throws. */
  readonly keep: (answer: AgentQueryResponse) => Promise<void>;
  /** The log of the request. */
  readonly log: Log;
}

/** The outcome of an answer. `text` is all text that was received. */
export type Outcome =
  | {
      readonly state: 'complete';
      readonly text: string;
      readonly fragments: readonly CitedFragment[];
      readonly usage: AnswerUsage;
      readonly answeredBy: 'model' | 'extractive';
      readonly notes: readonly AnswerNote[];
    }
  | { readonly state: 'failed' | 'interrupted'; readonly text: string; readonly problem: Problem };

/**
 * Reads an answer until it completes, fails or is interrupted. Never throws: an error becomes part of the outcome.
 *
 * @param signal aborts the answer; its reason is the cause
 * @param onText receives each piece and is awaited, so that a slow client slows the model down instead of filling memory
 */
export async function followAnswer(
  events: AsyncIterable<AnswerEvent>,
  signal: AbortSignal,
  onText: (text: string) => Promise<void>,
): Promise<Outcome> {
  let text = '';
  try {
    for await (const event of events) {
      signal.throwIfAborted();
      switch (event.type) {
        case 'delta':
          text += event.text;
          await onText(event.text);
          break;
        case 'completed':
          return { ...event, state: 'complete', text: event.answer, fragments: event.sources };
        case 'failed':
          return { state: 'failed', text, problem: translateFailure(event) };
      }
    }
    return {
      state: 'failed',
      text,
      problem: translateFailure({ code: 'answer_failed', message: 'The answer ended without a final event.' }),
    };
  } catch (error) {
    return { state: signal.aborted ? 'interrupted' : 'failed', text, problem: toProblem(error) };
  }
}
