import type { AnswerSource, Message } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { completeTurn, createTurn, isTurnRunning, groupMessagesIntoTurns } from './chat-turn.js';

const SOURCE: AnswerSource = {
  ...{ chunk_id: 'f', datasource_id: 'd', datasource_name: 'Terms', datasource_type: 'file' },
  ...{ document_key: 'terms.pdf', custom_id: null },
  ...{ source: 'https://example.com/', score: 1, page: 1, text: 'Two years.', cited: true },
};
const QUESTION: Message = {
  ...{ id: 'q1', role: 'user', text: 'How long?', state: 'complete', sources: [], usage: null, answeredBy: null },
  ...{ unanswered: false, feedback: null, visitorId: 'v', createdAt: '2026-11-23T10:00:00Z' },
};
const ANSWER: Message = {
  ...QUESTION,
  ...{ id: 'a1', role: 'assistant', text: 'Two years.', sources: [SOURCE], answeredBy: 'model' },
};
const RESPONSE = {
  ...{ answer: 'Two years.', conversationId: 'c', messageId: 'a1', visitorId: 'v', sources: [SOURCE], notes: [] },
  ...{ answeredBy: 'model' as const, usage: { promptTokens: 1, completionTokens: 1 } },
};

describe('groupMessagesIntoTurns', () => {
  it('groupMessagesIntoTurns pairs each question with its answer', () => {
    const second = { ...ANSWER, id: 'a2', unanswered: true, state: 'failed' as const };
    const turns = groupMessagesIntoTurns([QUESTION, ANSWER, { ...QUESTION, id: 'q2' }, second]);
    expect(turns).toMatchObject([
      { id: 'q1', question: 'How long?', answer: 'Two years.', messageId: 'a1', state: 'complete' },
      { id: 'q2', messageId: 'a2', isUnanswered: true, state: 'failed' },
    ]);
  });

  it('groupMessagesIntoTurns returns a turn in the state `interrupted` for a question without a stored answer', () => {
    expect(groupMessagesIntoTurns([QUESTION])).toMatchObject([
      { question: 'How long?', answer: '', state: 'interrupted' },
    ]);
    expect(groupMessagesIntoTurns([])).toEqual([]);
  });
});

describe('completeTurn', () => {
  it('completeTurn returns the turn in the state `complete`, in which no answer is being generated', () => {
    const turn = completeTurn({ ...createTurn('1', 'How long?'), isResumed: true }, RESPONSE);
    expect(turn).toMatchObject({ question: 'How long?', state: 'complete', isUnanswered: false, isResumed: true });
    expect(isTurnRunning(turn)).toBe(false);
    expect(isTurnRunning(createTurn('1', 'How long?'))).toBe(true);
  });

  it('completeTurn marks the turn as unanswered if the answer cites no source', () => {
    const sources = [{ ...SOURCE, cited: false }];
    expect(completeTurn(createTurn('1', 'q'), { ...RESPONSE, sources }).isUnanswered).toBe(true);
  });
});
