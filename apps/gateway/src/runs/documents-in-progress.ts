import type { DocumentToIndex } from '@quarry/contracts';
import { and, eq, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { datastores } from '../database/tables/datastores.js';
import { runDocuments } from '../database/tables/run-documents.js';
import type { RunRow } from '../database/tables/runs.js';
import { deleteJobsOfRuns, writeOutbox } from '../outbox/outbox.js';
import type { LockedRun } from './lock-run.js';
import { buildChildJob, buildChildOutboxJob } from './build-sync-job.js';

/** Stores documents as in progress, and writes their ingestion jobs to the outbox. */
export async function addDocumentsInProgress(
  tx: Queries,
  { row, run }: LockedRun,
  documents: readonly DocumentToIndex[],
  now: Date,
): Promise<void> {
  if (documents.length === 0) return;
  const [datastore] = await tx.select().from(datastores).where(eq(datastores.id, row.datastoreId));
  if (datastore === undefined)
    throw new Error(`expected datastore ${row.datastoreId} of datasource ${row.id}, found none`);
  const { organizationId, id: datasourceId } = row;
  const rows = documents.map((document) => ({
    ...{ organizationId, datasourceId, runId: run.id, documentKey: document.documentKey },
    ...{ version: document.version ?? null, createdAt: now },
    job: buildChildJob(datastore, row, run, document),
  }));
  await tx.insert(runDocuments).values(rows);
  await writeOutbox(
    tx,
    organizationId,
    rows.map(({ job }) => buildChildOutboxJob(job)),
  );
}

/** Finds the versions of the documents of a run that are in progress, by document key. */
export async function findDocumentsInProgress(
  tx: Queries,
  { row, run }: LockedRun,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const hasKey = sql`${runDocuments.documentKey} = any(${sql.param(keys)}::text[])`;
  const rows = await tx
    .select({ key: runDocuments.documentKey, version: runDocuments.version })
    .from(runDocuments)
    .where(and(buildRunCondition(row.id, run.id), hasKey));
  return new Map(rows.map(({ key, version }) => [key, version]));
}

/** Removes a settled document from the documents in progress. @returns undefined if it was not in progress */
export async function removeDocumentInProgress(
  tx: Queries,
  { row, run }: LockedRun,
  documentKey: string,
): Promise<{ readonly version: string | null } | undefined> {
  if (run.documentsRecorded === 0) return undefined;
  const [ended] = await tx
    .delete(runDocuments)
    .where(and(buildRunCondition(row.id, run.id), eq(runDocuments.documentKey, documentKey)))
    .returning({ version: runDocuments.version });
  return ended;
}

/** Returns true while documents of a run are in progress. */
export async function hasDocumentsInProgress(tx: Queries, { row, run }: LockedRun): Promise<boolean> {
  if (run.documentsRecorded === 0) return false;
  const found = await tx
    .select({ key: runDocuments.documentKey })
    .from(runDocuments)
    .where(buildRunCondition(row.id, run.id))
    .limit(1);
  return found.length > 0;
}

/** Removes all documents in progress of runs that have ended, with their waiting jobs. */
export async function removeDocumentsInProgress(
  tx: Queries,
  ended: readonly Pick<RunRow, 'id' | 'datasourceId' | 'documentsRecorded'>[],
): Promise<void> {
  const recording = ended.filter(({ documentsRecorded }) => documentsRecorded > 0);
  for (const { id, datasourceId } of recording)
    await tx.delete(runDocuments).where(buildRunCondition(datasourceId, id));
  await deleteJobsOfRuns(
    tx,
    recording.map(({ id }) => id),
  );
}

function buildRunCondition(datasourceId: string, runId: string) {
  return and(eq(runDocuments.datasourceId, datasourceId), eq(runDocuments.runId, runId));
}
