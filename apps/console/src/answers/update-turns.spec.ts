import type { MessageFeedback } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { createTurn, type Turn } from './chat-turn.js';
import { updateTurns, type TurnsAction } from './update-turns.js';

const START = [createTurn('1', 'first'), createTurn('2', 'second')];
const applyActions = (...actions: readonly TurnsAction[]): readonly Turn[] => actions.reduce(updateTurns, START);

describe('updateTurns', () => {
  it('updateTurns appends streamed text only to the turn of its stream, including text that arrives after the stream was resumed', () => {
    const [first, second] = applyActions(
      { type: 'started', id: '2', messageId: 'm' },
      { type: 'text', id: '2', text: 'Two ' },
      { type: 'resumed', id: '2' },
      { type: 'text', id: '2', text: 'years.' },
    );
    expect(first).toEqual(START[0]);
    expect(second).toMatchObject({ answer: 'Two years.', isResumed: true, state: 'streaming', messageId: 'm' });
  });

  it('if an answer is stopped or fails, updateTurns keeps the text that was received before', () => {
    const text = { type: 'text', id: '1', text: 'Two' } as const;
    const error = new Error('gone');
    expect(applyActions(text, { type: 'stopped', id: '1' })[0]).toMatchObject({ answer: 'Two', state: 'stopped' });
    expect(applyActions(text, { type: 'failed', id: '1', error })[0]).toMatchObject({
      answer: 'Two',
      state: 'failed',
      error,
    });
  });

  it('updateTurns stores the feedback on an answer, and replaces it by null when the feedback is withdrawn', () => {
    const feedback: MessageFeedback = { rating: 'up', reasons: [], comment: null, updatedAt: '2026-11-23T10:00:00Z' };
    expect(applyActions({ type: 'rated', id: '1', feedback })[0]?.feedback).toEqual(feedback);
    expect(
      applyActions({ type: 'rated', id: '1', feedback }, { type: 'rated', id: '1', feedback: null })[0]?.feedback,
    ).toBeNull();
  });
});
