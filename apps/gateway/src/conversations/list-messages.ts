import { and, asc, eq, gt } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { messages, type ConversationRow, type MessageRow } from '../database/tables/conversations.js';
import type { PageRequest } from '../paging/pages.js';

/**
 * Returns messages in the order in which they were stored: a question together with its answer, when the answer has ended.
 *
 * @param page its `before` is the last message of the previous page
 * @returns one more than the page size, when there are more
 */
export async function listMessages(
  db: Queries,
  { organizationId, id }: Pick<ConversationRow, 'organizationId' | 'id'>,
  page: PageRequest,
): Promise<readonly MessageRow[]> {
  const isInConversation = and(eq(messages.organizationId, organizationId), eq(messages.conversationId, id));
  const last = db
    .select({ place: messages.place })
    .from(messages)
    .where(and(isInConversation, eq(messages.id, page.before ?? id)));
  return db
    .select()
    .from(messages)
    .where(and(isInConversation, page.before === undefined ? undefined : gt(messages.place, last)))
    .orderBy(asc(messages.place))
    .limit(page.limit + 1);
}
