import { isNotNull, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { conversations } from '../database/tables/conversations.js';
import { organizations } from '../database/tables/organizations.js';

const BATCH = 500;
/** Maximum number of statements per run of the watchdog. Each is a transaction of its own, so that no answer waits long. */
const MAX_BATCHES = 20;

/**
 * Removes conversations that have exceeded the retention of their organization, a bounded number at a time. @returns the number
 * of removed conversations
 */
export async function removeOldConversations(db: Queries, now: Date): Promise<number> {
  let removed = 0;
  for (let step = 0; step < MAX_BATCHES; step += 1) {
    const removedInBatch = await removeBatch(db, now);
    removed += removedInBatch;
    if (removedInBatch < BATCH) break;
  }
  return removed;
}

async function removeBatch(db: Queries, now: Date): Promise<number> {
  const days = organizations.conversationRetentionDays;
  const oldest = sql`${now.toISOString()}::timestamptz - make_interval(days => ${days})`;
  // Reads the oldest conversations of each organization. A join would read all conversations.
  const old = sql`
    select ofOrganization.id from ${organizations}, lateral (
      select ${conversations.id} from ${conversations}
      where ${conversations.organizationId} = ${organizations.id} and ${conversations.updatedAt} < ${oldest}
      order by ${conversations.updatedAt} limit ${BATCH}) as ofOrganization
    where ${isNotNull(days)} limit ${BATCH}`;
  const rows = await db
    .delete(conversations)
    .where(sql`${conversations.id} = any(array(${old}))`)
    .returning({ id: conversations.id });
  return rows.length;
}
