import { type FeedbackFilter, type ListOrder, MAX_FIRST_QUESTION_LENGTH } from '@quarry/contracts';
import {
  and,
  asc,
  desc,
  eq,
  exists,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { type ConversationRow, conversations, type MessageRow, messages } from '../database/tables/conversations.js';
import { getLowestIdAtTime } from '../database/id.js';
import type { PageRequest } from '../paging/pages.js';
import type { PositionPageRequest } from '../paging/position-pages.js';
import { createNotFoundProblem, parseResourceId } from '../checks/parse-resource-id.js';
import { type Caller, canAccessAgent } from '../access/caller.js';

/**
 * A conversation with the visitor id of its first question, the beginning of this question, and the number of messages.
 */
export type Conversation = ConversationRow & {
  readonly visitorId: string;
  readonly firstQuestion: string;
  readonly messages: number;
};

/**
 * Selects the visitor id of the first question of a conversation. Names the table `conversations` explicitly: Drizzle
 * omits it in a query on one table, and in the subquery `id` would then be a column of `messages`.
 */
export const FIRST_VISITOR = sql<string>`coalesce(${conversations.firstVisitorId}, (
  select first.visitor_id from ${messages} first
  where first.conversation_id = ${conversations}.id order by first.turn limit 1))`;

/** Selects the beginning of the first question of a conversation. It is empty if the conversation has no messages. */
const FIRST_QUESTION = sql<string>`coalesce((
  select left(first.text, ${sql.raw(String(MAX_FIRST_QUESTION_LENGTH))}) from ${messages} first
  where first.conversation_id = ${conversations}.id and first.role = 'user' order by first.turn limit 1), '')`;

/** Selects the number of messages of a conversation. */
const MESSAGE_COUNT = sql<number>`(
  select count(*)::int from ${messages} counted where counted.conversation_id = ${conversations}.id)`;

/** Selects conversations that have messages. Gateways of earlier versions store answers without clearing `emptySince`. */
const HAS_MESSAGES = or(isNull(conversations.emptySince), sql`${MESSAGE_COUNT} > 0`);

/** Selects conversations that have messages, or whose first answer has not ended. */
export const IS_ACCESSIBLE = or(HAS_MESSAGES, isNotNull(conversations.firstVisitorId));

/** Selects conversations. A conversation must meet all conditions that are not undefined. */
export interface ConversationFilter {
  readonly agentId: string | undefined;
  /** Selects conversations in which this visitor has asked a question. */
  readonly visitorId: string | undefined;
  /** The ids of the agents that a limited key can access. Undefined: the key can access all agents. */
  readonly accessibleAgentIds: readonly string[] | undefined;
  readonly feedback: FeedbackFilter | undefined;
  readonly unanswered: boolean | undefined;
  /** Selects conversations that were created at this time or later. */
  readonly createdAfter: Date | undefined;
  /** Selects conversations that were created before this time. */
  readonly createdBefore: Date | undefined;
}

/**
 * SQL conditions for the values of the feedback filter. They contain no parameters, so that PostgreSQL can use the
 * partial index with the same condition.
 */
const FEEDBACK_CONDITIONS: Readonly<Record<FeedbackFilter, SQL>> = {
  up: sql`${conversations.feedbackUp} > 0`,
  down: sql`${conversations.feedbackDown} > 0`,
  any: sql`(${conversations.feedbackUp} > 0 or ${conversations.feedbackDown} > 0)`,
  none: sql`${conversations.feedbackUp} = 0 and ${conversations.feedbackDown} = 0`,
};
const UNANSWERED = sql`${conversations.unanswered} > 0`;
const ANSWERED = sql`${conversations.unanswered} = 0`;

/** Returns the conversation of an organization with this id, or undefined if there is none. */
export async function findConversation(
  db: Queries,
  organizationId: string,
  id: string,
): Promise<Conversation | undefined> {
  const [row] = await selectConversations(db, and(buildIdCondition(organizationId, id), IS_ACCESSIBLE), 1);
  return row;
}

/**
 * Returns a page of the conversations that have messages, newest first.
 *
 * @returns at most `page.limit + 1` conversations; the additional one shows that another page follows
 */
export async function listConversations(
  db: Queries,
  organizationId: string,
  { agentId, visitorId, accessibleAgentIds, feedback, unanswered, ...created }: ConversationFilter,
  page: PageRequest,
): Promise<readonly Conversation[]> {
  const condition = and(
    eq(conversations.organizationId, organizationId),
    HAS_MESSAGES,
    page.before === undefined ? undefined : lt(conversations.id, page.before),
    agentId === undefined ? undefined : eq(conversations.agentId, agentId),
    accessibleAgentIds === undefined ? undefined : inArray(conversations.agentId, [...accessibleAgentIds]),
    visitorId === undefined ? undefined : exists(selectVisitorMessages(db, organizationId, visitorId)),
    feedback === undefined ? undefined : FEEDBACK_CONDITIONS[feedback],
    unanswered === undefined ? undefined : unanswered ? UNANSWERED : ANSWERED,
    buildCreationTimeCondition(created),
  );
  return selectConversations(db, condition, page.limit + 1);
}

/** Maximum difference in milliseconds between the time that a conversation's id contains and its time of creation. */
const MAX_ID_DIFFERENCE_MS = 86_400_000;

/**
 * Builds the condition on the time of creation. The condition also restricts the ids, because they are indexed and the
 * time of creation is not. An id contains a time near the time of creation.
 */
function buildCreationTimeCondition({
  createdAfter,
  createdBefore,
}: Pick<ConversationFilter, 'createdAfter' | 'createdBefore'>): SQL | undefined {
  const { id, createdAt } = conversations;
  const first = createdAfter && getLowestIdAtTime(createdAfter.getTime() - MAX_ID_DIFFERENCE_MS);
  const last = createdBefore && getLowestIdAtTime(createdBefore.getTime() + MAX_ID_DIFFERENCE_MS);
  return and(
    createdAfter && gte(createdAt, createdAfter),
    first === undefined ? undefined : gte(id, first),
    createdBefore && lt(createdAt, createdBefore),
    last === undefined ? undefined : lt(id, last),
  );
}

/** Deletes a conversation with its messages. */
export async function removeConversation(db: Queries, organizationId: string, id: string): Promise<void> {
  await db.delete(conversations).where(buildIdCondition(organizationId, id));
}

async function selectConversations(db: Queries, condition: SQL | undefined, limit: number): Promise<Conversation[]> {
  return db
    .select({
      ...getTableColumns(conversations),
      visitorId: FIRST_VISITOR,
      firstQuestion: FIRST_QUESTION,
      messages: MESSAGE_COUNT,
    })
    .from(conversations)
    .where(condition)
    .orderBy(desc(conversations.id))
    .limit(limit);
}

/** Builds a subquery that selects the messages of a visitor in the conversation of the outer query. */
function selectVisitorMessages(db: Queries, organizationId: string, visitorId: string) {
  return db
    .select({ one: sql`1` })
    .from(messages)
    .where(
      and(
        eq(messages.organizationId, organizationId),
        eq(messages.visitorId, visitorId),
        eq(messages.conversationId, conversations.id),
      ),
    );
}

function buildIdCondition(organizationId: string, id: string): SQL | undefined {
  return and(eq(conversations.organizationId, organizationId), eq(conversations.id, id));
}

/**
 * Returns the conversation with this id.
 *
 * @throws Problem 404 if it does not exist or the caller cannot access its agent
 */
export async function requireConversation(db: Queries, caller: Caller, id: string): Promise<Conversation> {
  const conversation = await findConversation(db, caller.organizationId, parseResourceId('conversation', id));
  if (conversation === undefined || !canAccessAgent(caller, conversation.agentId))
    throw createNotFoundProblem('conversation', id);
  return conversation;
}

/**
 * Returns a page of the messages of a conversation, in the order in which they were stored, or in the reverse order. A
 * question is stored together with its answer, when the answer has ended.
 *
 * @param page `after` is the `place` of the last message of the previous page, which can have been deleted meanwhile
 * @returns at most `page.limit + 1` messages; the additional one shows that another page follows
 */
export async function listMessages(
  db: Queries,
  { organizationId, id }: Pick<ConversationRow, 'organizationId' | 'id'>,
  { limit, after }: PositionPageRequest,
  order: ListOrder = 'asc',
): Promise<readonly MessageRow[]> {
  const isInConversation = and(eq(messages.organizationId, organizationId), eq(messages.conversationId, id));
  const isOnPage = after === 0 ? undefined : (order === 'asc' ? gt : lt)(messages.place, after);
  return db
    .select()
    .from(messages)
    .where(and(isInConversation, isOnPage))
    .orderBy((order === 'asc' ? asc : desc)(messages.place))
    .limit(limit + 1);
}
