import type { AgentQueryResponse, AnswerSource, Message, MessageFeedback } from '@quarry/client';

/** A question of a conversation with its answer. The answer is stored, failed or is still being generated. */
export interface Turn {
  readonly id: string;
  /**
   * The text of the question. Undefined if a running answer was resumed after a reload, because the server stores a
   * question only together with its complete answer.
   */
  readonly question: string | undefined;
  readonly answer: string;
  readonly state: TurnState;
  /** The id of the message that contains the answer. Undefined until the server has sent the id. */
  readonly messageId: string | undefined;
  readonly sources: readonly AnswerSource[];
  readonly answeredBy: 'model' | 'extractive' | null;
  readonly notes: AgentQueryResponse['notes'];
  readonly isUnanswered: boolean;
  readonly feedback: MessageFeedback | null;
  /** True if the stream of the answer broke and was resumed. */
  readonly isResumed: boolean;
  readonly error: unknown;
  readonly createdAt: string | undefined;
}

/**
 * The state of an answer. `waiting`: no text has arrived yet. `stopped`: the user stopped the answer on this page.
 * `interrupted`: the conversation stores only a part of the answer, or none.
 */
export type TurnState = 'waiting' | 'streaming' | 'complete' | 'stopped' | 'interrupted' | 'failed';

/** Creates a turn in the state `waiting`, without an answer. */
export function createTurn(id: string, question: string | undefined): Turn {
  return {
    ...{ id, question, answer: '', state: 'waiting', messageId: undefined, sources: [], answeredBy: null, notes: [] },
    ...{ isUnanswered: false, feedback: null, isResumed: false, error: undefined, createdAt: undefined },
  };
}

/**
 * Returns the turn in the state `complete`, with the answer of the response. If the answer cites no source, the
 * question counts as unanswered, as on the server.
 */
export function completeTurn(turn: Turn, response: AgentQueryResponse): Turn {
  const { answer, messageId, sources, answeredBy, notes } = response;
  const isUnanswered = !sources.some(({ cited }) => cited);
  return { ...turn, answer, messageId, sources, answeredBy, notes, isUnanswered, state: 'complete' };
}

/** Returns the turns of a conversation from its stored messages, the oldest first. */
export function groupMessagesIntoTurns(messages: readonly Message[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    if (message.role === 'user') {
      turns.push({ ...createTurn(message.id, message.text), state: 'interrupted', createdAt: message.createdAt });
      continue;
    }
    const turn = turns.pop() ?? createTurn(message.id, undefined);
    const { text: answer, id: messageId, sources, answeredBy, unanswered: isUnanswered, feedback, state } = message;
    turns.push({ ...turn, answer, messageId, sources, answeredBy, isUnanswered, feedback, state });
  }
  return turns;
}

/** Returns true while the answer of the turn is being generated. */
export function isTurnRunning({ state }: Turn): boolean {
  return state === 'waiting' || state === 'streaming';
}
