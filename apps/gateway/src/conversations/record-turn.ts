import type { AnswerSource, AnswerUsage } from '@quarry/contracts';
import { cleanText } from '@quarry/queue-bullmq';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { conversations, messages, type AnswerState } from '../database/tables/conversations.js';

import type { Turn } from './turn.js';

/** What came of a question. */
export interface Answered {
  readonly state: AnswerState;
  /** All that was said, which is a part of the answer when it was interrupted. */
  readonly text: string;
  readonly sources: readonly AnswerSource[];
  readonly usage: AnswerUsage | null;
  readonly answeredBy: 'model' | 'extractive' | null;
}

/** Writes question and answer down, side by side, at the turn's place. */
export async function recordTurn(db: Queries, turn: Turn, answered: Answered, now: Date): Promise<void> {
  const { organizationId, agentId, conversationId, visitorId } = turn;
  const both = { organizationId, conversationId, turn: turn.number, visitorId, state: answered.state };
  await db.transaction(async (tx) => {
    await tx
      .insert(conversations)
      .values({ id: conversationId, organizationId, agentId, turns: 1, createdAt: turn.askedAt, updatedAt: now })
      .onConflictDoUpdate({ target: conversations.id, set: { updatedAt: now } });
    await tx.insert(messages).values([
      { ...both, id: newId(), role: 'user', text: turn.question, sources: [], createdAt: turn.askedAt },
      {
        ...both,
        id: turn.messageId,
        role: 'assistant',
        text: cleanText(answered.text),
        sources: answered.sources.map((source) => Object.assign({}, source, { text: cleanText(source.text) })),
        usage: answered.usage,
        answeredBy: answered.answeredBy,
        createdAt: now,
      },
    ]);
  });
}
