import { and, asc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { messages } from '../database/tables/conversations.js';
import { datasources } from '../database/tables/datasources.js';
import { sourceErasures } from '../database/tables/source-erasures.js';

/** Maximum number of datasources and messages per run of the watchdog. */
const DATASOURCES_AT_ONCE = 100;
const MESSAGES_AT_ONCE = 500;
/** An answer that began before the removal may be stored for this long after it, in milliseconds. */
const ANSWER_MS = 15 * 60_000;

/**
 * Queues datasources whose text is to be erased from stored answers. There may be too many answers for the transaction that
 * removes the datasources.
 *
 * @param tx the transaction that removes the datasources, before it does
 * @param which selects the datasources
 */
export async function queueSourceErasures(tx: Queries, which: SQL | undefined, now: Date): Promise<void> {
  const removed = tx
    .select({
      datasourceId: sql<string>`${datasources.id}`.as('datasource_id'),
      organizationId: datasources.organizationId,
      requestedAt: sql<Date>`${now.toISOString()}::timestamptz`.as('requested_at'),
    })
    .from(datasources)
    .where(which);
  await tx.insert(sourceErasures).select(removed).onConflictDoNothing();
}

/** Erases the text of removed datasources from the sources of stored answers, a bounded number at a time. */
export async function eraseSources(db: Queries, now: Date): Promise<void> {
  const due = await db
    .select()
    .from(sourceErasures)
    .orderBy(asc(sourceErasures.requestedAt))
    .limit(DATASOURCES_AT_ONCE);
  let left = MESSAGES_AT_ONCE;
  for (const { datasourceId, organizationId, requestedAt } of due) {
    const erased = await eraseSource(db, { organizationId, datasourceId }, left);
    left -= erased;
    if (left === 0) return;
    if (requestedAt.getTime() + ANSWER_MS > now.getTime()) continue;
    await db.delete(sourceErasures).where(eq(sourceErasures.datasourceId, datasourceId));
  }
}

interface Erasure {
  readonly organizationId: string;
  readonly datasourceId: string;
}

/** Erases the text of one datasource. @returns the number of changed messages */
async function eraseSource(db: Queries, { organizationId, datasourceId }: Erasure, limit: number): Promise<number> {
  const id = JSON.stringify(datasourceId);
  const hasText = sql.raw(`'$[*] ? (@.datasource_id == ${id} && @.text != "")'`);
  const cited = db
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.organizationId, organizationId),
        sql`jsonb_path_query_array(${messages.sources}, '$[*].datasource_id') @> ${`[${id}]`}::jsonb`,
        sql`jsonb_path_exists(${messages.sources}, ${hasText})`,
      ),
    )
    .limit(limit);
  const erased = await db
    .update(messages)
    .set({
      sources: sql`(
        select jsonb_agg(
          case when source ->> 'datasource_id' = ${datasourceId} then source || '{"text": ""}' else source end
          order by place)
        from jsonb_array_elements(${messages.sources}) with ordinality as each (source, place))`,
    })
    .where(inArray(messages.id, cited))
    .returning({ id: messages.id });
  return erased.length;
}
