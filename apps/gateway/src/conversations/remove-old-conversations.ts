import { isNotNull, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { conversations } from '../database/tables/conversations.js';
import { organizations } from '../database/tables/organizations.js';

/** Number of conversations that are removed per transaction. */
const BATCH_SIZE = 500;
/**
 * Maximum number of transactions per run of the watchdog. They are short, so that an answer waits only briefly for the
 * locks of a removal.
 */
const MAX_BATCHES = 20;

/**
 * Removes conversations whose last answer is older than the retention period of their organization, at most 10,000 per
 * call.
 *
 * @returns the number of removed conversations
 */
export async function removeOldConversations(db: Queries, now: Date): Promise<number> {
  let removed = 0;
  for (let step = 0; step < MAX_BATCHES; step += 1) {
    const removedInBatch = await removeConversationBatch(db, now);
    removed += removedInBatch;
    if (removedInBatch < BATCH_SIZE) break;
  }
  return removed;
}

async function removeConversationBatch(db: Queries, now: Date): Promise<number> {
  const days = organizations.conversationRetentionDays;
  const oldest = sql`${now.toISOString()}::timestamptz - make_interval(days => ${days})`;
  // The subquery reads only the oldest conversations of each organization. A join would read all conversations.
  const old = sql`
    select ofOrganization.id from ${organizations}, lateral (
      select ${conversations.id} from ${conversations}
      where ${conversations.organizationId} = ${organizations.id} and ${conversations.updatedAt} < ${oldest}
      order by ${conversations.updatedAt} limit ${BATCH_SIZE}) as ofOrganization
    where ${isNotNull(days)} limit ${BATCH_SIZE}`;
  const rows = await db
    .delete(conversations)
    .where(sql`${conversations.id} = any(array(${old}))`)
    .returning({ id: conversations.id });
  return rows.length;
}
