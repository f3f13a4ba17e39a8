import { and, desc, eq, isNotNull, lte, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type Caller, canAccessAgent } from '../access/caller.js';
import { createNotFoundProblem, parseResourceId } from '../checks/parse-resource-id.js';
import type { Queries } from '../database/database.js';
import {
  conversations,
  type InputMessage,
  type MessageRow,
  messages,
  type StoredResponse,
} from '../database/tables/conversations.js';
import { isUnanswered } from './is-unanswered.js';

/** An answer to a request to `POST /v1/responses`, with its question and agent. */
export interface ResponseRow {
  readonly agentId: string;
  readonly question: string;
  readonly answer: MessageRow;
  readonly response: StoredResponse;
}

const questions = alias(messages, 'questions');
const isQuestion = and(
  eq(questions.conversationId, messages.conversationId),
  eq(questions.turn, messages.turn),
  eq(questions.role, 'user'),
);

/** Returns the response with this id. @throws Problem 404 if it does not exist or the caller cannot access its agent */
export async function requireResponse(db: Queries, caller: Caller, id: string): Promise<ResponseRow> {
  const [row] = await db
    .select({ agentId: conversations.agentId, question: questions.text, answer: messages })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .innerJoin(questions, isQuestion)
    .where(
      and(
        eq(messages.organizationId, caller.organizationId),
        eq(messages.id, parseResourceId('response', id)),
        isNotNull(messages.response),
      ),
    );
  const response = row?.answer.response ?? null;
  if (row === undefined || response === null || !canAccessAgent(caller, row.agentId))
    throw createNotFoundProblem('response', id);
  return { ...row, response };
}

/** Maximum number of turns that are read to continue a conversation. */
const MAX_TURNS = 100;

/**
 * Lists the messages of a conversation before a new question, oldest first. Includes the system messages of requests to
 * `POST /v1/responses`. Omits failed turns, but lists the turns that they continue.
 *
 * @param last the response to continue; only its turn and the turns that it continues are listed; undefined: all turns
 * are listed
 */
export async function listEarlierMessages(
  db: Queries,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
  last: MessageRow | undefined,
): Promise<readonly InputMessage[]> {
  const answers = await db
    .select({
      ...{ id: messages.id, text: messages.text, question: questions.text },
      ...{ response: messages.response, state: messages.state },
    })
    .from(messages)
    .innerJoin(questions, isQuestion)
    .where(
      and(
        eq(messages.organizationId, organizationId),
        eq(messages.conversationId, id),
        eq(messages.role, 'assistant'),
        last && lte(messages.turn, last.turn),
      ),
    )
    .orderBy(desc(messages.turn))
    .limit(MAX_TURNS);
  const turns: (readonly InputMessage[])[] = [];
  let next: string | null = last?.id ?? null;
  for (const { id: answerId, text, question, response, state } of answers) {
    if (next !== null && next !== answerId) continue;
    const asked: readonly InputMessage[] = response?.input ?? [{ role: 'user', text: question }];
    if (state !== 'failed') turns.unshift([...asked, { role: 'assistant', text }]);
    next = last === undefined ? null : (response?.previousMessageId ?? null);
  }
  return turns.flat();
}

/**
 * Deletes a response with its question. Responses that continue it then continue the response before it. If the
 * conversation has no other messages, clients can no longer access it. Its row remains for some time, so that an answer
 * that is in progress can still be stored.
 */
export async function removeResponse(db: Queries, { answer }: Pick<ResponseRow, 'answer'>, now: Date): Promise<void> {
  const { organizationId, conversationId, turn } = answer;
  const isConversation = and(eq(conversations.organizationId, organizationId), eq(conversations.id, conversationId));
  const isInConversation = and(
    eq(messages.organizationId, organizationId),
    eq(messages.conversationId, conversationId),
  );
  await db.transaction(async (tx) => {
    // Locks the conversation first, as `recordTurn` does, so that the counters of the conversation agree with its
    // messages.
    await tx.select({ id: conversations.id }).from(conversations).where(isConversation).for('no key update');
    const removed = await tx
      .delete(messages)
      .where(and(isInConversation, eq(messages.turn, turn)))
      .returning();
    const gone = removed.find(({ role }) => role === 'assistant');
    if (gone === undefined) return;
    const [other] = await tx.select({ id: messages.id }).from(messages).where(isInConversation).limit(1);
    const continued = JSON.stringify(gone.response?.previousMessageId ?? null);
    await tx
      .update(messages)
      .set({ response: sql`jsonb_set(${messages.response}, '{previousMessageId}', ${continued}::jsonb)` })
      .where(and(isInConversation, sql`${messages.response} ->> 'previousMessageId' = ${gone.id}`));
    const { feedback } = gone;
    await tx
      .update(conversations)
      .set({
        feedbackUp: sql`${conversations.feedbackUp} - ${Number(feedback?.rating === 'up')}`,
        feedbackDown: sql`${conversations.feedbackDown} - ${Number(feedback?.rating === 'down')}`,
        unanswered: sql`${conversations.unanswered} - ${Number(isUnanswered(gone))}`,
        ...(other === undefined && { emptySince: now }),
      })
      .where(isConversation);
  });
}
