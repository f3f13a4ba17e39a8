import { and, asc, eq, ne, or, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import { datastores } from '../database/tables/datastores.js';
import { documents } from '../database/tables/documents.js';
import type { RunRow } from '../database/tables/runs.js';
import { writeRemovals } from '../removals/write-removals.js';
import { MAY_HAVE_FRAGMENTS } from './stored-totals.js';
import { isMassRemoval } from './mass-removal.js';
import { addNote } from './add-note.js';

/**
 * Removes the documents that a complete enumeration did not find, and the fragments of documents that it skipped, such as pages
 * that are now excluded from indexing. Skipped documents stay in the list with their reason. A mass removal that the sync does not
 * allow removes nothing and adds a note to the run.
 */
export async function removeMissingDocuments(tx: Queries, row: DatasourceRow, run: RunRow, now: Date): Promise<RunRow> {
  const ofDatasource = eq(documents.datasourceId, row.id);
  const isMissing = and(ofDatasource, run.enumeratedAll ? ne(documents.runId, run.id) : sql`false`);
  const isSkipped = and(
    ofDatasource,
    eq(documents.runId, run.id),
    eq(documents.outcome, 'skipped'),
    MAY_HAVE_FRAGMENTS,
  );
  const removed = await tx
    .select({ key: documents.documentKey })
    .from(documents)
    .where(or(and(isMissing, MAY_HAVE_FRAGMENTS), isSkipped))
    .orderBy(asc(documents.documentKey));
  const stored = await tx.$count(documents, and(ofDatasource, MAY_HAVE_FRAGMENTS));
  const missing = removed.length;
  const known = run.documentsKnown ?? stored;
  if (!run.allowMassRemoval && isMassRemoval({ missing, known, remaining: stored - missing })) {
    const shown = removed.slice(0, MAX_SHOWN_KEYS).map(({ key }) => key);
    const note = `${missing} of ${known} known documents were not found again, or are now excluded. They are kept, because so many at once suggest a fault of the source. The first: ${shown.join(', ')}. To remove them, sync with allowMassRemoval=true.`;
    return addNote(run, note);
  }
  const keys = removed.map(({ key }) => key);
  await removeDocuments(tx, { row, run, now }, keys);
  await tx.delete(documents).where(isMissing);
  await tx.update(documents).set({ fragments: 0, storedTokens: 0, version: null }).where(isSkipped);
  return { ...run, counters: { ...run.counters, removed: run.counters.removed + missing } };
}

/** Maximum number of document keys in a note. */
const MAX_SHOWN_KEYS = 3;

interface RemovalContext {
  readonly row: DatasourceRow;
  readonly run: RunRow;
  readonly now: Date;
}

async function removeDocuments(tx: Queries, { row, run, now }: RemovalContext, keys: readonly string[]): Promise<void> {
  const { organizationId, datastoreId, id: datasourceId } = row;
  const [datastore] = await tx.select().from(datastores).where(eq(datastores.id, datastoreId));
  const embedding = datastore?.embedding ?? null;
  const shared = {
    organizationId,
    datastoreId,
    datasourceId,
    runId: run.id,
    generation: run.generation,
    ...(embedding === null ? {} : { embedding }),
  };
  const removals = keys.map((documentKey) => ({ kind: 'document' as const, payload: { ...shared, documentKey } }));
  await writeRemovals(tx, organizationId, removals, now);
}
