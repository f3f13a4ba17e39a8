import { type CatalogSyncMode, type DatasourceState, NO_COUNTERS, applyDatasourceEvent } from '@quarry/contracts';
import { and, gt, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Queries } from '../../database/database.js';
import { newId } from '../../database/id.js';
import { type DatasourceRow, datasources } from '../../database/tables/datasources.js';
import type { DatastoreRow } from '../../database/tables/datastores.js';
import { type RunRow, runs } from '../../database/tables/runs.js';
import {
  deleteJobsOfRuns,
  computeIndexingCost,
  type JobClass,
  type OutboxJob,
  writeOutboxJobs,
} from '../../outbox/outbox.js';
import { problem } from '../../problems.js';
import { removeDocumentsInProgress } from '../run-in-progress.js';
import { buildStoredDocumentCount } from '../document-rows.js';
import { buildSyncJob } from './build-sync-job.js';
import { deleteOldRuns } from './delete-old-runs.js';

export interface DatasourceWithRun {
  readonly datasource: DatasourceRow;
  readonly run: RunRow;
}

/** Describes how a run reads a datasource. Only item listings have a mode: full or incremental. */
export interface RunKind {
  readonly mode: CatalogSyncMode | null;
  readonly dryRun: boolean;
  /** True if the run may remove any number of documents of the datasource. Absent: false. */
  readonly allowMassRemoval?: boolean;
}

export interface RunStart {
  readonly now: Date;
  /** Absent: the run has no mode and is not a dry run. */
  readonly kind?: RunKind;
  /** The class of the jobs of the runs, which decides how soon the jobs start. Default: `sync`. */
  readonly jobClass?: JobClass;
  /** Sizes of the documents in bytes, keyed by datasource id. Default: the sizes of the uploaded files. */
  readonly bytes?: ReadonlyMap<string, number>;
}

const DEFAULT_RUN_KIND: RunKind = { mode: null, dryRun: false };

/**
 * Starts a run of each datasource: supersedes the run in progress, if there is one, stores the new run as pending, and
 * writes the job of the new run to the outbox.
 *
 * @param tx a transaction that has locked the rows of the datasources
 * @param rows the rows of the datasources, with the changes to store. Their status, run, sequence and error are replaced
 * @returns the datasources with their runs, in the order of `rows`
 * @throws Problem 409 when a datasource has no content to read
 */
export async function startRuns(
  tx: Queries,
  datastore: DatastoreRow,
  rows: readonly DatasourceRow[],
  start: RunStart,
): Promise<readonly DatasourceWithRun[]> {
  if (rows.length === 0) return [];
  const { now, kind = DEFAULT_RUN_KIND } = start;
  await supersedeRuns(tx, rows, now);
  const pending = rows.map((row) => ({
    ...row,
    ...buildPendingRunState(row),
    errorCode: null,
    errorMessage: null,
    updatedAt: now,
  }));
  const started = await startPendingRuns(tx, datastore, pending, start);
  await deleteOldRuns(tx, rows, kind);
  await updateDatasources(tx, pending);
  return started;
}

/**
 * Stores pending runs of new datasources, and writes the jobs of these runs to the outbox.
 *
 * @param tx the transaction that has created the rows
 */
export async function startPendingRuns(
  tx: Queries,
  datastore: DatastoreRow,
  pendingRows: readonly PendingRow[],
  start: RunStart,
): Promise<readonly DatasourceWithRun[]> {
  if (pendingRows.length === 0) return [];
  const started = await insertRuns(tx, pendingRows, start);
  const runsById = new Map(started.map((run) => [run.id, run]));
  const withRuns = pendingRows.map((row) => {
    const run = runsById.get(row.runId);
    if (run === undefined) throw new Error(`expected a row of run ${row.runId} of datasource ${row.id}, found none`);
    return { datasource: row, run };
  });
  const jobs = withRuns.map(({ datasource, run }) => ({
    ...requireSyncJob(datastore, datasource, run),
    ...(start.jobClass !== undefined && { class: start.jobClass }),
    ...(start.bytes !== undefined && { cost: computeIndexingCost(start.bytes.get(datasource.id)) }),
  }));
  await writeOutboxJobs(tx, datastore.organizationId, jobs);
  return withRuns;
}

function requireSyncJob(datastore: DatastoreRow, row: DatasourceRow, run: RunRow): OutboxJob {
  const job = buildSyncJob(datastore, row, run);
  if (job === undefined) {
    throw problem('nothing_to_sync', `The datasource ${row.id} (${row.type}) has no content to sync.`);
  }
  return job;
}

/** The row of a datasource whose run is pending. */
export type PendingRow = DatasourceRow & { readonly runId: string };

/** Computes the new state of a datasource for which a pending run begins. */
export function buildPendingRunState(current: DatasourceState): Pick<PendingRow, 'status' | 'runId' | 'sequence'> {
  const runId = newId();
  const result = applyDatasourceEvent(current, { type: 'enqueued', runId });
  if (!result.accepted)
    throw new Error(`expected a datasource that accepts a new run, found the refusal ${result.reason}`);
  return { ...result.next, runId };
}

async function supersedeRuns(tx: Queries, rows: readonly DatasourceRow[], now: Date): Promise<void> {
  const earlier = rows.flatMap((row) => (row.runId === null ? [] : [row.runId]));
  if (earlier.length === 0) return;
  await removeDocumentsInProgress(
    tx,
    await tx
      .select()
      .from(runs)
      .where(and(inArray(runs.id, earlier), isNull(runs.endedAt), gt(runs.documentsRecorded, 0))),
  );
  const entry = JSON.stringify([{ at: now.toISOString(), step: 'superseded' }]);
  const superseded = await tx
    .update(runs)
    .set({ status: 'superseded', endedAt: now, lastError: null, timeline: sql`${runs.timeline} || ${entry}::jsonb` })
    .where(and(inArray(runs.id, earlier), isNull(runs.endedAt)))
    .returning({ id: runs.id });
  await deleteJobsOfRuns(
    tx,
    superseded.map(({ id }) => id),
  );
}

async function insertRuns(
  tx: Queries,
  rows: readonly PendingRow[],
  { now, kind = DEFAULT_RUN_KIND }: RunStart,
): Promise<readonly RunRow[]> {
  return tx
    .insert(runs)
    .values(
      rows.map((row) => ({
        ...buildPendingRun(row, now),
        ...kind,
        documentsKnown: row.documentKey === null ? buildStoredDocumentCount(row.id) : null,
      })),
    )
    .returning();
}

type PendingRunRow = Pick<
  RunRow,
  | 'id'
  | 'organizationId'
  | 'datasourceId'
  | 'status'
  | 'sequence'
  | 'counters'
  | 'failureReasons'
  | 'timeline'
  | 'createdAt'
  | 'lastEventAt'
>;

/** Builds the row of a pending run, without the columns of `RunKind`. */
export function buildPendingRun(row: PendingRow, now: Date): PendingRunRow {
  return {
    id: row.runId,
    organizationId: row.organizationId,
    datasourceId: row.id,
    status: row.status,
    sequence: row.sequence,
    counters: NO_COUNTERS,
    failureReasons: [],
    timeline: [{ at: now.toISOString(), step: row.status }],
    createdAt: now,
    lastEventAt: now,
  };
}

const UPDATED_COLUMNS = [
  'type',
  'name',
  'customId',
  'groupId',
  'config',
  'blobKey',
  'mimeType',
  'source',
  'metadata',
  'encryptedHeaders',
  'listingState',
  'nextSyncAt',
  'nextFullSyncAt',
  'status',
  'runId',
  'sequence',
  'errorCode',
  'errorMessage',
  'updatedAt',
] as const satisfies readonly (keyof DatasourceRow)[];

/**
 * Updates many datasources in one statement. The statement is an upsert, but inserts no row, because every row exists.
 */
async function updateDatasources(tx: Queries, rows: readonly DatasourceRow[]): Promise<void> {
  const set = Object.fromEntries(UPDATED_COLUMNS.map((name) => [name, buildExcludedColumn(datasources[name])]));
  await tx
    .insert(datasources)
    .values([...rows])
    .onConflictDoUpdate({ target: datasources.id, set });
}

/** Builds SQL for the value that an upsert proposes for a column. */
function buildExcludedColumn(column: PgColumn): SQL {
  return sql`excluded.${sql.identifier(column.name)}`;
}
