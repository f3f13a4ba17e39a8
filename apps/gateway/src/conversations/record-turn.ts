import type { AnswerSource, AnswerUsage, MessageState } from '@quarry/contracts';
import { cleanText } from '@quarry/queue';
import { and, eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { agents } from '../database/tables/agents.js';
import { conversations, messages } from '../database/tables/conversations.js';
import type { Turn } from './turn.js';

/** Describes the outcome of a question. */
export interface AnswerOutcome {
  readonly state: MessageState;
  /** The whole text of the answer, or the part until its interruption. */
  readonly text: string;
  readonly sources: readonly AnswerSource[];
  readonly usage: AnswerUsage | null;
  readonly answeredBy: 'model' | 'extractive' | null;
}

/** Stores question and answer at the position of the turn. A conversation that was deleted in the meantime stays deleted. */
export async function recordTurn(db: Queries, turn: Turn, answer: AnswerOutcome, now: Date): Promise<void> {
  const { organizationId, conversationId, visitorId } = turn;
  const both = { organizationId, conversationId, turn: turn.number, visitorId, state: answer.state };
  await db.transaction(async (tx) => {
    if (!(await (turn.number === 1 ? createConversation(tx, turn, now) : updateConversation(tx, turn, now)))) return;
    await tx.insert(messages).values([
      { ...both, id: newId(), role: 'user', text: turn.question, sources: [], createdAt: turn.askedAt },
      {
        ...both,
        id: turn.messageId,
        role: 'assistant',
        text: cleanText(answer.text),
        sources: answer.sources.map((source) => Object.assign({}, source, { text: cleanText(source.text) })),
        usage: answer.usage,
        answeredBy: answer.answeredBy,
        createdAt: now,
      },
    ]);
  });
}

/** Creates the conversation. @returns false when the agent was deleted, and its conversations with it */
async function createConversation(tx: Queries, turn: Turn, now: Date): Promise<boolean> {
  const { organizationId, agentId, conversationId: id, askedAt } = turn;
  const isAgent = and(eq(agents.organizationId, organizationId), eq(agents.id, agentId));
  const [agent] = await tx.select({ id: agents.id }).from(agents).where(isAgent).for('key share');
  if (agent === undefined) return false;
  await tx.insert(conversations).values({ id, organizationId, agentId, turns: 1, createdAt: askedAt, updatedAt: now });
  return true;
}

/** Updates the conversation. @returns false when it was deleted */
async function updateConversation(tx: Queries, { organizationId, conversationId }: Turn, now: Date): Promise<boolean> {
  const isThis = and(eq(conversations.organizationId, organizationId), eq(conversations.id, conversationId));
  const found = await tx
    .update(conversations)
    .set({ updatedAt: now })
    .where(isThis)
    .returning({ id: conversations.id });
  return found.length > 0;
}
