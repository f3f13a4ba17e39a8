import { and, asc, eq, gt, inArray, lte, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { messages } from '../database/tables/conversations.js';
import { datasources } from '../database/tables/datasources.js';
import { evaluationResults, evaluations } from '../database/tables/evaluations.js';
import { sourceErasures } from '../database/tables/source-erasures.js';

/** Maximum number of removed datasources whose texts one statement erases. */
const BATCH = 500;
const MAX_BATCHES_PER_RUN = 100;
const MAX_ROWS_PER_RUN = 500;
/**
 * Maximum duration of an answer in milliseconds. An answer that began before a removal may be stored this long after
 * the removal.
 */
const MAX_ANSWER_DURATION_MS = 15 * 60_000;

/**
 * Queues datasources that are being removed, so that `eraseSourceTexts` later erases their texts from stored answers
 * and evaluation results. Erasing them in the transaction of the removal would take too long.
 *
 * @param tx the transaction that removes the datasources
 * @param condition selects the datasources
 */
export async function queueSourceErasures(tx: Queries, condition: SQL | undefined, now: Date): Promise<void> {
  const removed = tx
    .select({
      datasourceId: sql<string>`${datasources.id}`.as('datasource_id'),
      organizationId: datasources.organizationId,
      requestedAt: sql<Date>`${now.toISOString()}::timestamptz`.as('requested_at'),
    })
    .from(datasources)
    .where(condition);
  await tx.insert(sourceErasures).select(removed).onConflictDoNothing();
}

/**
 * Erases the texts of removed datasources from the sources of stored answers, and from evaluation results. Changes at
 * most 500 rows per call. A datasource stays in the queue for `MAX_ANSWER_DURATION_MS`, because answers that began
 * before its removal may be stored until then. Texts that are already stored are erased before that time, as far as the
 * limit permits.
 */
export async function eraseSourceTexts(db: Queries, now: Date): Promise<void> {
  const settled = new Date(now.getTime() - MAX_ANSWER_DURATION_MS);
  let left = MAX_ROWS_PER_RUN;
  for (let batch = 0; batch < MAX_BATCHES_PER_RUN; batch += 1) {
    const due = await listOldestErasures(db, lte(sourceErasures.requestedAt, settled));
    left -= await eraseStoredTexts(db, due, left);
    if (left === 0) return;
    const ids = due.map(({ datasourceId }) => datasourceId);
    if (ids.length > 0)
      await db.delete(sourceErasures).where(sql`${sourceErasures.datasourceId} = any(${sql.param(ids)}::uuid[])`);
    if (due.length < BATCH) break;
  }
  await eraseStoredTexts(db, await listOldestErasures(db, gt(sourceErasures.requestedAt, settled)), left);
}

type Erasure = typeof sourceErasures.$inferSelect;

async function listOldestErasures(db: Queries, condition: SQL): Promise<readonly Erasure[]> {
  return db.select().from(sourceErasures).where(condition).orderBy(asc(sourceErasures.requestedAt)).limit(BATCH);
}

/**
 * Erases the texts of datasources from at most `limit` stored answers and evaluation results.
 *
 * @returns the number of changed rows
 */
async function eraseStoredTexts(db: Queries, erasures: readonly Erasure[], limit: number): Promise<number> {
  let erased = 0;
  for (const [organizationId, rows] of Map.groupBy(erasures, (row) => row.organizationId)) {
    if (erased === limit) break;
    const ids = rows.map(({ datasourceId }) => datasourceId);
    const erasure = { organizationId, ids };
    erased += await eraseTextsInMessages(db, erasure, limit - erased);
    erased += await eraseTextsInResults(db, erasure, limit - erased);
  }
  return erased;
}

interface OrganizationErasure {
  readonly organizationId: string;
  readonly ids: readonly string[];
}

async function eraseTextsInMessages(
  db: Queries,
  { organizationId, ids }: OrganizationErasure,
  limit: number,
): Promise<number> {
  const isRemoved = sql`source ->> 'datasource_id' = any(${sql.param(ids)}::text[])`;
  const keys = sql.param(ids.map((id) => JSON.stringify([id])));
  const cited = db
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.organizationId, organizationId),
        sql`jsonb_path_query_array(${messages.sources}, '$[*].datasource_id') @> any(${keys}::jsonb[])`,
        sql`exists (select 1 from jsonb_array_elements(${messages.sources}) source where ${isRemoved} and source ->> 'text' <> '')`,
      ),
    )
    .limit(limit);
  const erased = await db
    .update(messages)
    .set({
      sources: sql`(
        select jsonb_agg(case when ${isRemoved} then source || '{"text": ""}' else source end order by place)
        from jsonb_array_elements(${messages.sources}) with ordinality as each (source, place))`,
    })
    .where(inArray(messages.id, cited))
    .returning({ id: messages.id });
  return erased.length;
}

async function eraseTextsInResults(
  db: Queries,
  { organizationId, ids }: OrganizationErasure,
  limit: number,
): Promise<number> {
  const isRemoved = sql`passage ->> 'datasourceId' = any(${sql.param(ids)}::text[])`;
  const keys = sql.param(ids.map((id) => JSON.stringify([id])));
  const { evaluationId, position, results } = evaluationResults;
  const found = db
    .select({ evaluationId, position })
    .from(evaluationResults)
    .innerJoin(evaluations, eq(evaluations.id, evaluationId))
    .where(
      and(
        eq(evaluations.organizationId, organizationId),
        sql`jsonb_path_query_array(${results}, '$[*].datasourceId') @> any(${keys}::jsonb[])`,
        sql`exists (select 1 from jsonb_array_elements(${results}) passage where ${isRemoved} and passage ->> 'text' <> '')`,
      ),
    )
    .limit(limit);
  const erased = await db
    .update(evaluationResults)
    .set({
      results: sql`(
        select jsonb_agg(case when ${isRemoved} then passage || '{"text": ""}' else passage end order by place)
        from jsonb_array_elements(${results}) with ordinality as each (passage, place))`,
    })
    .where(sql`(${evaluationId}, ${position}) in ${found}`)
    .returning({ position });
  return erased.length;
}
