import { and, eq, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { messages, type ConversationRow, type MessageRow } from '../database/tables/conversations.js';
import type { PageRequest } from '../http/pages.js';

/** A question comes before its answer. */
const PLACE = sql`(${messages.turn}, ${messages.role} = 'assistant')`;

/**
 * What was said, oldest first.
 *
 * @param page its `before` is the last message of the page before this one
 * @returns one more than the page holds, when there is more
 */
export async function listMessages(
  db: Queries,
  { organizationId, id }: Pick<ConversationRow, 'organizationId' | 'id'>,
  page: PageRequest,
): Promise<readonly MessageRow[]> {
  const isSaidHere = and(eq(messages.organizationId, organizationId), eq(messages.conversationId, id));
  const last = db
    .select({ turn: messages.turn, isAnswer: sql`${messages.role} = 'assistant'` })
    .from(messages)
    .where(and(isSaidHere, eq(messages.id, page.before ?? id)));
  return db
    .select()
    .from(messages)
    .where(and(isSaidHere, page.before === undefined ? undefined : sql`${PLACE} > (${last})`))
    .orderBy(messages.turn, sql`${messages.role} = 'assistant'`)
    .limit(page.limit + 1);
}
