import { and, desc, eq, inArray, isNotNull, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type Caller, canAccessAgent } from '../access/caller.js';
import { createNotFoundProblem, parseResourceId } from '../checks/parse-resource-id.js';
import type { Queries } from '../database/database.js';
import {
  conversations,
  deletedResponses,
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

/** Maximum number of turns that are read to continue a conversation, and maximum number of links that are followed. */
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
  const isContinued = last && (await buildContinuedCondition(db, last));
  const answers = await db
    .select({ text: messages.text, question: questions.text, response: messages.response })
    .from(messages)
    .innerJoin(questions, isQuestion)
    .where(
      and(
        eq(messages.organizationId, organizationId),
        eq(messages.conversationId, id),
        eq(messages.role, 'assistant'),
        ne(messages.state, 'failed'),
        isContinued,
      ),
    )
    .orderBy(desc(messages.turn))
    .limit(MAX_TURNS);
  return answers.toReversed().flatMap(({ text, question, response }): readonly InputMessage[] => {
    const asked = response?.input ?? [{ role: 'user', text: question }];
    return [...asked, { role: 'assistant', text }];
  });
}

/** A response, which can have been deleted, with the id of the response that it continues. */
interface ResponseLink extends Record<string, unknown> {
  readonly id: string;
  readonly turn: number;
  /** Null: the response continues all turns before its own. */
  readonly previous_id: string | null;
}

/**
 * Builds the condition that selects a response and the turns that it continues. Follows the links from response to
 * response, also through deleted ones, until one continues all turns before its own.
 */
async function buildContinuedCondition(db: Queries, last: MessageRow): Promise<SQL | undefined> {
  const { conversationId } = last;
  const previousId = last.response?.previousMessageId ?? null;
  const { rows } = await db.execute<ResponseLink>(sql`
    with recursive link as (
      select ${last.id}::uuid as id, ${last.turn}::int as turn, ${previousId}::uuid as previous_id, 1 as place
      union all
      select previous.*, link.place + 1 from link, lateral (
        select id, turn, (response ->> 'previousMessageId')::uuid from ${messages}
        where id = link.previous_id and conversation_id = ${conversationId}
        union all
        select id, turn, previous_message_id from ${deletedResponses}
        where id = link.previous_id and conversation_id = ${conversationId}
      ) previous where link.place < ${MAX_TURNS}
    )
    select id, turn, previous_id from link order by place`);
  const isLinked = inArray(
    messages.id,
    rows.map(({ id }) => id),
  );
  const earliest = rows.at(-1);
  return earliest?.previous_id === null ? or(isLinked, lt(messages.turn, earliest.turn)) : isLinked;
}

/**
 * Deletes a response with its question. Responses that continue it then continue what precedes it. If the conversation
 * has no other messages, clients can no longer access it. Its row remains for some time, so that an answer that is in
 * progress can still be stored.
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
    const { id, feedback, response } = gone;
    const previousMessageId = response?.previousMessageId ?? null;
    await tx.insert(deletedResponses).values({ id, conversationId, turn, previousMessageId });
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
