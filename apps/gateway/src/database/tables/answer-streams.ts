import { foreignKey, index, jsonb, text, uuid } from 'drizzle-orm/pg-core';
import type { AnswerNote } from '@quarry/contracts';
import { agents } from './agents.js';
import { organizationIdColumn } from './organizations.js';
import { quarry, timeColumn, updatedAtColumn } from './quarry-schema.js';

/**
 * Describes how a resumable answer ended. If it is complete, the stored message contains the other fields of the
 * response.
 */
export type StoredStreamEnd =
  { readonly notes: readonly AnswerNote[] } | { readonly problem: { readonly code: string; readonly message: string } };

/**
 * Stores resumable answers while they are generated and for some minutes afterwards, so that each gateway can continue
 * the stream of an answer that another gateway generates.
 */
export const answerStreams = quarry.table(
  'answer_streams',
  {
    messageId: uuid('message_id').primaryKey(),
    organizationId: organizationIdColumn(),
    agentId: uuid('agent_id').notNull(),
    conversationId: uuid('conversation_id').notNull(),
    /** The text of the answer so far, from which other gateways serve clients that resume the answer. */
    text: text('text').notNull().default(''),
    /** The outcome of the answer. Null while the answer is generated. */
    end: jsonb('end').$type<StoredStreamEnd>(),
    /** Time of the latest heartbeat of the gateway that generates the answer, by the clock of the database. */
    updatedAt: updatedAtColumn(),
    /**
     * Time at which another gateway last recorded a client that follows the answer, by the clock of the database. Null:
     * no other gateway has recorded one.
     */
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
