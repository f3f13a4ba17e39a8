import { expect, it } from 'vitest';
import { newId } from '../database/id.js';
import { type AnswerProgress, LiveAnswer } from './live-answer.js';

const TURN = {
  ...{ organizationId: newId(), agentId: newId(), conversationId: newId(), messageId: newId(), visitorId: 'v' },
  ...{ isConversationStored: true, number: 1, question: 'When?', askedAt: new Date() },
};

it('a client that receives the progress slowly also receives the end of an answer', async () => {
  const live = new LiveAnswer(TURN, {
    graceMs: Infinity,
    getRemoteIdleMs: async () => Promise.resolve(undefined),
    abort: () => undefined,
  });
  const end = { problem: { code: 'answer_failed', message: 'It failed.' } } as const;
  const received: AnswerProgress[] = [];
  for await (const progress of live.follow(new AbortController().signal)) {
    received.push(progress);
    if (received.length > 1) continue;
    // While the client receives the first progress, the answer ends.
    live.append('We open at nine.');
    live.complete(end);
  }
  expect(received).toEqual([
    { text: '', end: undefined },
    { text: 'We open at nine.', end },
  ]);
});
