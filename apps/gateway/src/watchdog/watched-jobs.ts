import { and, asc, eq, gt, isNull, lt, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { buildPresentDatastoreCondition } from '../datastores/datastore-repository.js';
import { runDocuments, type RunDocumentRow } from '../database/tables/run-documents.js';
import { runs, type RunRow } from '../database/tables/runs.js';

/**
 * Identifies a job that must exist until its final event arrives: the job of the document `document` of a run, or if
 * this field is absent, the job of the run itself.
 */
export interface WatchedJob {
  readonly row: DatasourceRow;
  readonly run: RunRow;
  readonly document?: RunDocumentRow;
}

export const PAGE_SIZE = 500;

/** Yields in pages the jobs that must exist: those of all runs in progress that had no event since `before`. */
export async function* readWatchedJobs(
  db: Queries,
  before: Date,
  pageSize = PAGE_SIZE,
): AsyncGenerator<readonly WatchedJob[], undefined> {
  let after: SQL | undefined;
  for (;;) {
    const page = await listRunsWithoutEvents(db, before, { after, pageSize });
    yield page.filter(({ run }) => mustWatchRunJob(run));
    for (const one of page) if (one.run.documentsRecorded > 0) yield* readDocumentJobs(db, one, pageSize);
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return undefined;
    after = sql`(${runs.lastEventAt}, ${runs.id}) > (${last.lastEventAt}::timestamptz, ${last.run.id}::uuid)`;
  }
}

/**
 * Returns true if the job of the run itself must be watched. After this job has reported all documents of the run, the
 * jobs of the documents are watched instead.
 */
function mustWatchRunJob({ documentsExpected, documentsRecorded }: RunRow): boolean {
  return documentsExpected === null || documentsRecorded === 0;
}

async function listRunsWithoutEvents(
  db: Queries,
  before: Date,
  { after, pageSize }: { readonly after: SQL | undefined; readonly pageSize: number },
): Promise<readonly (WatchedJob & { readonly lastEventAt: string })[]> {
  return (
    db
      // The time of the last event is selected as text, because a `Date` has milliseconds only and the column has
      // microseconds.
      .select({ row: datasources, run: runs, lastEventAt: sql<string>`${runs.lastEventAt}::text` })
      .from(runs)
      // The datasource is joined by its id, because the column `run_id` of datasources has no index.
      .innerJoin(datasources, and(eq(datasources.id, runs.datasourceId), eq(datasources.runId, runs.id)))
      .where(and(isNull(runs.endedAt), lt(runs.lastEventAt, before), buildPresentDatastoreCondition(), after))
      .orderBy(asc(runs.lastEventAt), asc(runs.id))
      .limit(pageSize)
  );
}

async function* readDocumentJobs(
  db: Queries,
  { row, run }: WatchedJob,
  pageSize: number,
): AsyncGenerator<readonly WatchedJob[], undefined> {
  const ofRun = and(eq(runDocuments.datasourceId, row.id), eq(runDocuments.runId, run.id));
  let after: SQL | undefined;
  for (;;) {
    const page = await db
      .select()
      .from(runDocuments)
      .where(and(ofRun, after))
      .orderBy(asc(runDocuments.documentKey))
      .limit(pageSize);
    if (page.length > 0) yield page.map((document) => ({ row, run, document }));
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return undefined;
    after = gt(runDocuments.documentKey, last.documentKey);
  }
}
