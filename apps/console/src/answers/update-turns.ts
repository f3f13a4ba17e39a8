import type { AgentQueryResponse, MessageFeedback } from '@quarry/client';
import { completeTurn, type Turn } from './chat-turn.js';

/**
 * A change to the turns of a conversation. `asked` adds a turn; any other change applies to the turn whose id is `id`.
 */
export type TurnsAction =
  | { readonly type: 'asked'; readonly turn: Turn }
  | { readonly type: 'started'; readonly id: string; readonly messageId: string }
  | { readonly type: 'resumed' | 'stopped'; readonly id: string }
  | { readonly type: 'text'; readonly id: string; readonly text: string }
  | { readonly type: 'completed'; readonly id: string; readonly response: AgentQueryResponse }
  | { readonly type: 'failed'; readonly id: string; readonly error: unknown }
  | { readonly type: 'rated'; readonly id: string; readonly feedback: MessageFeedback | null };

/** Returns the turns of a conversation with a change applied. */
export function updateTurns(turns: readonly Turn[], action: TurnsAction): readonly Turn[] {
  if (action.type === 'asked') return [...turns, action.turn];
  return turns.map((turn) => (turn.id === action.id ? updateTurn(turn, action) : turn));
}

function updateTurn(turn: Turn, action: Exclude<TurnsAction, { type: 'asked' }>): Turn {
  switch (action.type) {
    case 'started':
      return { ...turn, messageId: action.messageId };
    case 'resumed':
      return { ...turn, isResumed: true };
    case 'stopped':
      return { ...turn, state: 'stopped' };
    case 'text':
      return { ...turn, state: 'streaming', answer: turn.answer + action.text };
    case 'completed':
      return completeTurn(turn, action.response);
    case 'failed':
      return { ...turn, state: 'failed', error: action.error };
    case 'rated':
      return { ...turn, feedback: action.feedback };
  }
}
