import { describe, expect, it } from 'vitest';
import { buildConversationQuery, computeNextCursor, type ConversationFilter } from './conversation-filter.js';

const NOW = new Date('2026-11-23T12:00:00Z');
const FILTER: ConversationFilter = {
  ...{ agentId: undefined, feedback: undefined, time: undefined, order: 'unansweredFirst' },
};

describe('sorting unanswered conversations first', () => {
  it('with the order `unansweredFirst`, the console requests all unanswered conversations before the answered ones', () => {
    const queries: unknown[] = [];
    const answers = ['u2', null, 'a2', null];
    let cursor: string | null | undefined;
    for (const next of answers) {
      queries.push(buildConversationQuery(FILTER, cursor ?? undefined, NOW));
      cursor = computeNextCursor(FILTER, cursor ?? undefined, next);
    }
    expect(queries).toEqual([
      { unanswered: true },
      { unanswered: true, cursor: 'u2' },
      { unanswered: false },
      { unanswered: false, cursor: 'a2' },
    ]);
    expect(cursor).toBeNull();
  });
});

describe('buildConversationQuery', () => {
  it('buildConversationQuery converts the filters in the address to query parameters of the API', () => {
    const filter = { ...FILTER, agentId: 'a', feedback: 'down', time: 'week', order: 'newestFirst' } as const;
    expect(buildConversationQuery(filter, undefined, NOW)).toEqual({
      agentId: 'a',
      feedback: 'down',
      createdAfter: '2026-11-16T12:00:00.000Z',
    });
    expect(buildConversationQuery({ ...FILTER, order: 'unansweredOnly' }, 'c', NOW)).toEqual({
      unanswered: true,
      cursor: 'c',
    });
    expect(computeNextCursor({ ...FILTER, order: 'unansweredOnly' }, 'c', null)).toBeNull();
  });
});
