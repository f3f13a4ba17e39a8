import { isSettled, type DocumentSettled, type RunEnumerated } from '@quarry/contracts';
import { eq, ne } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { isId } from '../database/id.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { documents } from '../database/tables/documents.js';
import { runs, type RunRow } from '../database/tables/runs.js';
import { foretellRemoval, type Seen } from './foretell-removal.js';
import type { Recorded } from './record-events.js';
import { settleIfAllDone } from './settle-documents.js';
import { addReason, count, grown } from './tally.js';
import { settleDocumentTokens } from '../usage/settle-tokens.js';

/** `told_before`: the same was told already. */
export type DocumentRecorded = Recorded | 'told_before';

/** Writes down how one of a run's documents ended, and ends the run with its last one. Told twice, it counts once. */
export async function recordDocument(db: Queries, told: DocumentSettled, now: Date): Promise<DocumentRecorded> {
  return onCurrentRun(db, told, async (tx, row, run) => {
    if (!(await writeDocument(tx, row, told))) return 'told_before';
    const failed = told.outcome === 'failed' || told.outcome === 'skipped';
    const next: RunRow = {
      ...run,
      counters: count(run.counters, told.outcome),
      documentsSettled: run.documentsSettled + 1,
      failureReasons: failed
        ? addReason(run.failureReasons, told.code ?? told.outcome, told.message ?? '')
        : run.failureReasons,
      heardAt: now,
    };
    return settleIfAllDone(tx, row, next, now);
  });
}

/**
 * Writes down that every document of a run has been found, and ends the run when all of them have settled already.
 *
 * @param seen by a dry run that has read everything
 */
export async function recordEnumeration(
  db: Queries,
  told: RunEnumerated,
  now: Date,
  seen?: Seen,
): Promise<DocumentRecorded> {
  return onCurrentRun(db, told, async (tx, row, run) => {
    if (run.documentsExpected !== null) return 'told_before';
    const { documents: documentsExpected, complete: enumeratedAll, note = null, discovered = 0, fetched = 0 } = told;
    const counters = grown(run.counters, { discovered, fetched });
    const found: RunRow = { ...run, counters, documentsExpected, enumeratedAll, note, heardAt: now };
    return settleIfAllDone(tx, row, seen === undefined ? found : await foretellRemoval(tx, found, seen), now);
  });
}

type Record = (tx: Queries, row: DatasourceRow, run: RunRow) => Promise<DocumentRecorded>;

async function onCurrentRun(
  db: Queries,
  { datasourceId, runId }: { readonly datasourceId: string; readonly runId: string },
  record: Record,
): Promise<DocumentRecorded> {
  if (!isId(datasourceId)) return 'unknown_datasource';
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(datasources).where(eq(datasources.id, datasourceId)).for('update');
    if (row === undefined) return 'unknown_datasource';
    if (row.runId !== runId) return 'stale_run';
    if (isSettled(row.status)) return 'not_allowed';
    const [run] = await tx.select().from(runs).where(eq(runs.id, runId));
    if (run === undefined) throw new Error(`run ${runId} of datasource ${row.id} is not written down`);
    return record(tx, row, run);
  });
}

/** @returns whether this run has not told of it before */
async function writeDocument(tx: Queries, row: DatasourceRow, told: DocumentSettled): Promise<boolean> {
  const written = {
    runId: told.runId,
    outcome: told.outcome,
    code: told.code ?? null,
    message: told.message ?? null,
    name: told.name ?? null,
    source: told.source ?? null,
    settledAt: new Date(told.at),
  };
  const { fragments, storedTokens, documentKey } = told;
  const identity = { organizationId: row.organizationId, datasourceId: row.id, documentKey };
  const [stored] = await tx
    .insert(documents)
    .values({ ...identity, ...written, fragments: fragments ?? 0, storedTokens: storedTokens ?? 0 })
    .onConflictDoUpdate({
      target: [documents.datasourceId, documents.documentKey],
      // What is not told is as it was: a page that could not be read again keeps its fragments.
      set: {
        ...written,
        fragments: fragments ?? documents.fragments,
        storedTokens: storedTokens ?? documents.storedTokens,
      },
      setWhere: ne(documents.runId, told.runId),
    })
    .returning({ storedTokens: documents.storedTokens });
  if (stored === undefined) return false;
  await settleDocumentTokens(tx, identity, stored.storedTokens);
  return true;
}
