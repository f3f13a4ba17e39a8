import { and, asc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { messages } from '../database/tables/conversations.js';
import { datasources } from '../database/tables/datasources.js';
import { sourceErasures } from '../database/tables/source-erasures.js';

/** Maximum number of datasources per run of the watchdog. */
const MAX_DATASOURCES_PER_RUN = 100;
const MAX_MESSAGES_PER_RUN = 500;
/** Maximum duration of an answer in milliseconds. An answer that began before a removal may be stored this long after it. */
const MAX_ANSWER_DURATION_MS = 15 * 60_000;

/**
 * Queues datasources whose text `eraseSources` erases from stored answers. There may be too many answers for the transaction that
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

/** Erases the text of removed datasources from stored answers, at most 100 datasources and 500 messages per call. */
export async function eraseSources(db: Queries, now: Date): Promise<void> {
  const due = await db
    .select()
    .from(sourceErasures)
    .orderBy(asc(sourceErasures.requestedAt))
    .limit(MAX_DATASOURCES_PER_RUN);
  let left = MAX_MESSAGES_PER_RUN;
  for (const { datasourceId, organizationId, requestedAt } of due) {
    const erased = await eraseSource(db, { organizationId, datasourceId }, left);
    left -= erased;
    if (left === 0) return;
    if (requestedAt.getTime() + MAX_ANSWER_DURATION_MS > now.getTime()) continue;
    await db.delete(sourceErasures).where(eq(sourceErasures.datasourceId, datasourceId));
  }
}

interface Erasure {
  readonly organizationId: string;
  readonly datasourceId: string;
}

/** Erases the text of one datasource from stored answers. @returns the number of changed messages */
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
