import type { AgentQueryResponse, AnswerEvent, AnswerNote, AnswerUsage, CitedFragment } from '@quarry/contracts';
import { toProblem, type Log, type Problem } from '@quarry/service-kit';
import type { Turn } from '../conversations/turn.js';
import { translateFailure } from '../query-service/refusal.js';

/** An answer that is being given. */
export interface OpenAnswer {
  readonly turn: Turn;
  readonly events: AsyncIterable<AnswerEvent>;
  /** Ends the answer early; its reason is why. */
  readonly signal: AbortSignal;
  /** Keeps the whole answer for repeated requests. Called before its end is sent; never throws. */
  readonly keep: (answer: AgentQueryResponse) => Promise<void>;
  /** The log of the request. */
  readonly log: Log;
}

/** How an answer ended. `text` is all that was said. */
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
 * Follows an answer to its end, which it always has: what goes wrong on the way is an end too.
 *
 * @param signal ends the answer early; its reason is why
 * @param say told of each piece, and waited for: who reads slowly slows the model down, and not our memory
 */
export async function followAnswer(
  events: AsyncIterable<AnswerEvent>,
  signal: AbortSignal,
  say: (text: string) => Promise<void>,
): Promise<Outcome> {
  let text = '';
  try {
    for await (const event of events) {
      signal.throwIfAborted();
      switch (event.type) {
        case 'delta':
          text += event.text;
          await say(event.text);
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
      problem: translateFailure({ code: 'answer_failed', message: 'The answer broke off.' }),
    };
  } catch (error) {
    return { state: signal.aborted ? 'interrupted' : 'failed', text, problem: toProblem(error) };
  }
}
