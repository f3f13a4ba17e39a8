import { isSettledStatus, applyDatasourceEvent } from '@quarry/contracts';
import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../../database/database.js';
import { isId } from '../../database/id.js';
import { datasources } from '../../database/tables/datasources.js';
import { discardedBlobs } from '../../database/tables/discarded-blobs.js';
import { type RunRow, runs } from '../../database/tables/runs.js';
import { webhooks } from '../../database/tables/webhooks.js';
import { createRowUpdateBuilder } from '../../database/update-rows.js';
import { buildPresentDatastoreCondition } from '../../datastores/datastore-repository.js';
import { buildSettlementStatement, isSingleDocument, type SingleDocument } from '../../usage/settle-tokens.js';
import { buildDeliveryInsert } from '../../webhooks/deliveries.js';
import { type SubscribedWebhook, buildRunDeliveries } from './finish-run.js';
import { applyRunUpdate, type RecordingResult, decideRunUpdate, type RunUpdate } from './apply-run-update.js';
import { DATASOURCE_COLUMNS, RUN_COLUMNS } from './store-updated-runs.js';

/** The result of recording an update of a run, and the work that the caller must then start. */
export interface RecordedUpdate {
  readonly recorded: RecordingResult;
  /** True if the update may have written webhook deliveries. The caller then wakes the deliverer. */
  readonly mayHaveDeliveries: boolean;
  /** True if the datasource may have discarded blobs, which the caller removes. */
  readonly mayHaveDiscardedBlobs: boolean;
}

/**
 * Records an update of a datasource that is a single document, if the state machine accepts the update. Records nothing
 * if another transaction changes the row of the datasource or the run between reading and writing.
 *
 * @returns undefined if nothing was recorded; the caller then records the update with locked rows
 */
export async function recordUpdateWithoutLock(
  db: Queries,
  update: RunUpdate,
  now: Date,
): Promise<RecordedUpdate | undefined> {
  const read = await readDocumentRun(db, update.datasourceId);
  if (read === undefined || !applyDatasourceEvent(read.datasource, decideRunUpdate(update).event).accepted)
    return undefined;
  const target = { datasource: read.datasource, run: read.run, isChanged: false };
  const recorded = await applyRunUpdate(db, target, update, now);
  const datasource = { ...target.datasource, documentKey: read.datasource.documentKey };
  const isEnd = isSettledStatus(datasource.status);
  const deliveries = isEnd ? buildRunDeliveries({ datasource, run: target.run }, read.webhooks, now) : [];
  const parts = [
    sql`run as (${updateRun([target.run], IS_UNCHANGED)})`,
    sql`datasource as (${updateDatasource([datasource], IS_UNCHANGED)})`,
    ...(isEnd ? [sql`settlement as (${buildSettlementStatement(datasource, IS_UNCHANGED)})`] : []),
    ...(deliveries.length > 0 ? [sql`deliveries as (${buildDeliveryInsert(deliveries, now, IS_UNCHANGED)})`] : []),
  ];
  const { rows } = await db.execute(
    sql`with unchanged as (${buildUnchangedRowsLock(read)}), ${sql.join(parts, sql`, `)} select from unchanged`,
  );
  if (rows.length === 0) return undefined;
  return {
    recorded,
    mayHaveDeliveries: deliveries.length > 0,
    mayHaveDiscardedBlobs: isEnd && read.hasDiscardedBlobs,
  };
}

const IS_UNCHANGED = sql`exists (select from unchanged)`;
const updateRun = createRowUpdateBuilder(runs, RUN_COLUMNS);
const updateDatasource = createRowUpdateBuilder(datasources, DATASOURCE_COLUMNS);

/** A datasource that is a single document, its latest run, and the row version (`xmin`) of each. */
interface DocumentRun {
  readonly datasource: SingleDocument;
  readonly run: RunRow;
  readonly datasourceVersion: string;
  readonly runVersion: string;
  /** The enabled webhooks of the organization that owns the datasource. */
  readonly webhooks: readonly SubscribedWebhook[];
  readonly hasDiscardedBlobs: boolean;
}

/**
 * Reads a datasource and its latest run.
 *
 * @returns undefined unless the datasource and the run have exactly one document
 */
async function readDocumentRun(db: Queries, datasourceId: string): Promise<DocumentRun | undefined> {
  if (!isId(datasourceId)) return undefined;
  const [found] = await db
    .select({
      datasource: datasources,
      run: runs,
      datasourceVersion: sql<string>`${datasources}.xmin::text`,
      runVersion: sql<string>`${runs}.xmin::text`,
      webhooks: sql<readonly SubscribedWebhook[]>`(
        select coalesce(jsonb_agg(jsonb_build_object('id', id, 'events', events)), '[]') from ${webhooks}
        where ${webhooks.organizationId} = ${datasources.organizationId} and enabled)`,
      hasDiscardedBlobs: sql<boolean>`exists (
        select from ${discardedBlobs} where ${discardedBlobs.datasourceId} = ${datasources.id})`,
    })
    .from(datasources)
    .innerJoin(runs, eq(runs.id, datasources.runId))
    .where(and(eq(datasources.id, datasourceId), buildPresentDatastoreCondition()));
  if (found === undefined) return undefined;
  const { datasource, run } = found;
  const hasOtherDocuments = run.documentsRecorded > 0 || run.documentsSettled > 0 || run.documentsExpected !== null;
  if (!isSingleDocument(datasource) || run.dryRun || hasOtherDocuments) return undefined;
  return { ...found, datasource };
}

/**
 * Builds the query that locks the rows of a datasource and its run, if neither has changed since it was read. The query
 * compares `xmin`, in which PostgreSQL stores which transaction wrote a row. It locks the datasource first, as every
 * transaction does.
 */
function buildUnchangedRowsLock({ datasource, run, datasourceVersion, runVersion }: DocumentRun): SQL {
  return sql`select from ${datasources}, ${runs}
    where ${datasources.id} = ${datasource.id} and ${datasources}.xmin = ${datasourceVersion}::xid
      and ${runs.id} = ${run.id} and ${runs}.xmin = ${runVersion}::xid and ${buildPresentDatastoreCondition()}
    for update of "datasources", "runs"`;
}
