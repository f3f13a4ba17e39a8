import { foreignKey, index, jsonb, text, uuid } from 'drizzle-orm/pg-core';
import type { AnswerNote } from '@quarry/contracts';
import { agents } from './agents.js';
import { organizationIdColumn } from './organizations.js';
import { quarry, timeColumn, updatedAtColumn } from './quarry-schema.js';

/** Describes how a resumable answer ended. The message of a complete answer contains the rest of the response. */
export type StoredStreamEnd =
  { readonly notes: readonly AnswerNote[] } | { readonly problem: { readonly code: string; readonly message: string } };

/**
 * Stores resumable answers while they are generated and for some minutes afterwards, so that each gateway can continue
 * the stream of an answer that another gateway generates. The conversation of a first question does not exist until its
 * answer has ended, so the table has no foreign key to conversations.
 */
export const answerStreams = quarry.table(
  'answer_streams',
  {
    messageId: uuid('message_id').primaryKey(),
    organizationId: organizationIdColumn(),
    agentId: uuid('agent_id').notNull(),
    conversationId: uuid('conversation_id').notNull(),
    /** The text that clients have received or can receive so far. */
    text: text('text').notNull().default(''),
    /** Null while the answer is generated. */
    end: jsonb('end').$type<StoredStreamEnd>(),
    /** Time of the latest heartbeat of the gateway that generates the answer, by the clock of the database. */
    updatedAt: updatedAtColumn(),
    /** Time of the latest heartbeat of a client at another gateway, by the clock of the database. */
    followedAt: timeColumn('followed_at'),
  },
  (table) => [
    foreignKey({
      name: 'answer_streams_agent',
      columns: [table.organizationId, table.agentId],
      foreignColumns: [agents.organizationId, agents.id],
    }).onDelete('cascade'),
    index('answer_streams_of_agent').on(table.organizationId, table.agentId),
    index('answer_streams_of_conversation').on(table.conversationId),
  ],
);
