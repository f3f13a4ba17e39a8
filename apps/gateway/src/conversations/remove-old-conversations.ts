import { and, eq, isNotNull, isNull, lt, notExists, or, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { conversations, messages } from '../database/tables/conversations.js';
import { organizations } from '../database/tables/organizations.js';

/** Number of conversations that are removed per transaction. */
const BATCH_SIZE = 500;
/**
 * Maximum number of transactions per run of the watchdog. They are short, so that an answer waits only briefly for the
 * locks of a removal.
 */
const MAX_BATCHES = 20;
/** Time after a question in which its answer may be in progress. It is longer than any answer takes. */
const MAX_ANSWER_MS = 86_400_000;

/**
 * Removes conversations whose last answer is older than the retention period of their organization, at most 10,000 per
 * call. Also removes conversations that have had no messages for a day, at most 500 per call. Does not remove
 * conversations with a question of the last day.
 *
 * @returns the number of removed conversations
 */
export async function removeOldConversations(db: Queries, now: Date): Promise<number> {
  let removed = await removeEmptyConversations(db, now);
  for (let step = 0; step < MAX_BATCHES; step += 1) {
    const removedInBatch = await removeConversationBatch(db, now);
    removed += removedInBatch;
    if (removedInBatch < BATCH_SIZE) break;
  }
  return removed;
}

/** Deletes conversations that have had no messages for a day, at most 500. @returns their number */
async function removeEmptyConversations(db: Queries, now: Date): Promise<number> {
  const { emptySince } = conversations;
  // Gateways of earlier versions store answers without clearing `emptySince`.
  const hasMessages = db.select().from(messages).where(eq(messages.conversationId, conversations.id));
  const isOld = and(lt(emptySince, subtractAnswerTime(now)), hasNoAnswerInProgress(now), notExists(hasMessages));
  const old = db.select({ id: conversations.id }).from(conversations).where(isOld).limit(BATCH_SIZE);
  // Checks the time again, because a question or an answer may have arrived after the subquery read the row.
  const rows = await db
    .delete(conversations)
    .where(and(isOld, sql`${conversations.id} = any(array(${old}))`))
    .returning({ id: conversations.id });
  return rows.length;
}

/** Deletes conversations whose last answer is older than the retention period, at most 500. @returns their number */
async function removeConversationBatch(db: Queries, now: Date): Promise<number> {
  const { id, organizationId, updatedAt } = conversations;
  const days = organizations.conversationRetentionDays;
  const oldest = sql`${now.toISOString()}::timestamptz - make_interval(days => ${days})`;
  // The subquery reads only the oldest conversations of each organization. A join would read all conversations.
  const old = sql`
    select ofOrganization.id from ${organizations}, lateral (
      select ${id} from ${conversations}
      where ${organizationId} = ${organizations.id} and ${updatedAt} < ${oldest} and ${hasNoAnswerInProgress(now)}
      order by ${updatedAt} limit ${BATCH_SIZE}) as ofOrganization
    where ${isNotNull(days)} limit ${BATCH_SIZE}`;
  // Checks the time again, because a question or an answer may have arrived after the subquery read the row.
  const isOld = sql`${updatedAt} < (select ${oldest} from ${organizations} where ${organizations.id} = ${organizationId})`;
  const rows = await db
    .delete(conversations)
    .where(and(isOld, hasNoAnswerInProgress(now), sql`${id} = any(array(${old}))`))
    .returning({ id });
  return rows.length;
}

/** Builds the condition that no question of a conversation can have an answer in progress, at any gateway. */
function hasNoAnswerInProgress(now: Date): SQL | undefined {
  const { askedAt } = conversations;
  return or(isNull(askedAt), lt(askedAt, subtractAnswerTime(now)));
}

function subtractAnswerTime(now: Date): Date {
  return new Date(now.getTime() - MAX_ANSWER_MS);
}
