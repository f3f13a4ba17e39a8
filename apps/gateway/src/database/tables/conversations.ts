import type {
  AnswerNote,
  AnswerSource,
  AnswerUsage,
  HistoryMessage,
  MessageFeedback,
  MessageRole,
  MessageState,
} from '@quarry/contracts';
import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigserial,
  foreignKey,
  index,
  integer,
  jsonb,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { agents } from './agents.js';
import type { StoredPassage } from '../../source-addresses/source-address.js';
import { organizationIdColumn } from './organizations.js';
import { createdAtColumn, idColumn, quarry, timeColumn, updatedAtColumn } from './quarry-schema.js';

/** Feedback on an answer, as it is stored. */
export type StoredFeedback = Pick<MessageFeedback, keyof MessageFeedback>;

/** A message of the input that a client sends to a model. */
export interface InputMessage {
  readonly role: HistoryMessage['role'] | 'system' | 'developer';
  readonly text: string;
}

/** The data of an answer to `POST /v1/responses` for which `messages` has no other column. */
export interface StoredResponse {
  /** The parameters of the request, without its input. */
  readonly request: object;
  readonly input: readonly InputMessage[];
  /**
   * The message id of the answer that the request continues, which can have been deleted. Null: the request continues
   * all messages of the conversation before it.
   */
  readonly previousMessageId: string | null;
  readonly notes: readonly AnswerNote[];
}

/** A source of an answer, as it is stored. Earlier versions stored no `document_key`. */
export type StoredSource = Omit<StoredPassage<AnswerSource>, 'document_key'> &
  Partial<Pick<AnswerSource, 'document_key'>>;

export const conversations = quarry.table(
  'conversations',
  {
    id: idColumn(),
    organizationId: organizationIdColumn(),
    agentId: uuid('agent_id').notNull(),
    /**
     * Number of questions that have arrived so far. It is the position (`turn`) of the latest question, so that
     * simultaneous questions keep their order.
     */
    turns: integer('turns').notNull(),
    /** Time of the latest question. Null: no question has arrived since the upgrade to the version with this column. */
    askedAt: timeColumn('asked_at'),
    /** Number of answers with the rating `up`. `feedbackDown` is the number of answers with the rating `down`. */
    feedbackUp: integer('feedback_up').notNull().default(0),
    feedbackDown: integer('feedback_down').notNull().default(0),
    /** Number of answers for which `isUnanswered` returns true. */
    unanswered: integer('unanswered').notNull().default(0),
    /**
     * Time since which the conversation has no messages, because its first answer has not ended or its only messages
     * were deleted. Null: it has messages. The next answer that ends sets it to null.
     */
    emptySince: timeColumn('empty_since'),
    /**
     * The visitor of the first question, until an answer has ended. Null: an answer has ended. If the conversation has
     * no messages nevertheless, they were deleted, and clients cannot access the conversation.
     */
    firstVisitorId: text('first_visitor_id'),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [
    foreignKey({
      name: 'conversations_agent',
      columns: [table.organizationId, table.agentId],
      foreignColumns: [agents.organizationId, agents.id],
    }).onDelete('cascade'),
    index('conversations_newest').on(table.organizationId, table.id),
    index('conversations_oldest').on(table.organizationId, table.updatedAt),
    index('conversations_of_agent').on(table.organizationId, table.agentId, table.id),
    index('conversations_empty')
      .on(table.emptySince)
      .where(sql`${table.emptySince} is not null`),
    ...buildFilterIndexes(table),
  ],
);

type Column = 'organizationId' | 'id' | 'agentId' | 'feedbackUp' | 'feedbackDown' | 'unanswered';

/**
 * Builds the partial indexes for filtered lists of conversations. Each index contains only the conversations that its
 * filter selects.
 */
function buildFilterIndexes(table: Readonly<Record<Column, AnyPgColumn>>) {
  const { organizationId, id, agentId, feedbackUp, feedbackDown, unanswered } = table;
  const columns = [organizationId, id, agentId] as const;
  return [
    index('conversations_rated_up')
      .on(...columns)
      .where(sql`${feedbackUp} > 0`),
    index('conversations_rated_down')
      .on(...columns)
      .where(sql`${feedbackDown} > 0`),
    index('conversations_rated')
      .on(...columns)
      .where(sql`(${feedbackUp} > 0 or ${feedbackDown} > 0)`),
    index('conversations_unanswered')
      .on(...columns)
      .where(sql`${unanswered} > 0`),
  ];
}

/** Stores questions (role `user`) and answers (role `assistant`). A question and its answer have the same `turn`. */
export const messages = quarry.table(
  'messages',
  {
    id: idColumn(),
    organizationId: organizationIdColumn(),
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    /** Position of the question in its conversation, counted from 1. An answer has the position of its question. */
    turn: integer('turn').notNull(),
    /**
     * Increases with each stored message. Lists of messages are sorted by it. So a client that reads page by page also
     * gets an answer that is stored after the answer to a newer question.
     */
    place: bigserial('place', { mode: 'number' }).notNull(),
    role: text('role').$type<MessageRole>().notNull(),
    text: text('text').notNull(),
    /** The visitor who asked the question. */
    visitorId: text('visitor_id').notNull(),
    state: text('state').$type<MessageState>().notNull(),
    sources: jsonb('sources').$type<readonly StoredSource[]>().notNull(),
    usage: jsonb('usage').$type<AnswerUsage>(),
    answeredBy: text('answered_by').$type<'model' | 'extractive'>(),
    /** The feedback on an answer. Null for a question, and for an answer without feedback. */
    feedback: jsonb('feedback').$type<StoredFeedback>(),
    /** The additional data of an answer to `POST /v1/responses`. Null for every other message. */
    response: jsonb('response').$type<StoredResponse>(),
    createdAt: createdAtColumn(),
  },
  (table) => [
    unique('messages_turn').on(table.conversationId, table.turn, table.role),
    index('messages_in_order').on(table.conversationId, table.place),
    index('messages_of_datasource').using(
      'gin',
      sql`jsonb_path_query_array(${table.sources}, '$[*].datasource_id') jsonb_path_ops`,
    ),
    index('messages_of_visitor').on(table.organizationId, table.visitorId, table.conversationId),
  ],
);

/**
 * Stores the position of each deleted response, without its texts. So the responses that continue it can continue what
 * precedes it, also if their answers were in progress during the deletion.
 */
export const deletedResponses = quarry.table(
  'deleted_responses',
  {
    /** The message id of the deleted answer. */
    id: idColumn(),
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    turn: integer('turn').notNull(),
    /** The field of `StoredResponse` with the same name. */
    previousMessageId: uuid('previous_message_id'),
  },
  (table) => [index('deleted_responses_of_conversation').on(table.conversationId)],
);

export type ConversationRow = typeof conversations.$inferSelect;
export type MessageRow = typeof messages.$inferSelect;
