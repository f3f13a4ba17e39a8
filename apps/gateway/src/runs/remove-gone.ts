import { and, asc, eq, ne, or, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import type { DatasourceRow } from '../database/tables/datasources.js';
import { datastores } from '../database/tables/datastores.js';
import { documents } from '../database/tables/documents.js';
import type { RunRow } from '../database/tables/runs.js';
import { writeRemovals } from '../removals/write-removals.js';
import { HELD } from './held-documents.js';
import { isMassRemoval } from './mass-removal.js';
import { withNote } from './with-note.js';

/**
 * Removes what a run has shown to be no longer part of its datasource, unless that is suspiciously much and was not allowed: the documents that a
 * complete enumeration did not name, and the fragments of those that it named as `skipped`, such as a page that is not to be
 * indexed any more. The latter stay in the list with their reason.
 */
export async function removeGone(tx: Queries, row: DatasourceRow, run: RunRow, now: Date): Promise<RunRow> {
  const ofThis = eq(documents.datasourceId, row.id);
  const isGone = and(ofThis, run.enumeratedAll ? ne(documents.runId, run.id) : sql`false`);
  const isSkipped = and(ofThis, eq(documents.runId, run.id), eq(documents.outcome, 'skipped'), HELD);
  const lost = await tx
    .select({ key: documents.documentKey })
    .from(documents)
    .where(or(and(isGone, HELD), isSkipped))
    .orderBy(asc(documents.documentKey));
  const held = await tx.$count(documents, and(ofThis, HELD));
  const gone = lost.length;
  const known = run.documentsKnown ?? held;
  if (!run.allowMassRemoval && isMassRemoval({ gone, known, left: held - gone })) {
    const shown = lost.slice(0, SHOWN).map(({ key }) => key);
    const note = `${gone} of ${known} known documents were not found again, or are not to be indexed any more: too many at once to be believed, so they are kept. The first: ${shown.join(', ')}. If they are to go, sync with allowMassRemoval=true.`;
    return withNote(run, note);
  }
  const keys = lost.map(({ key }) => key);
  await removeDocuments(tx, { row, run, now }, keys);
  await tx.delete(documents).where(isGone);
  await tx.update(documents).set({ fragments: 0, storedTokens: 0, version: null }).where(isSkipped);
  return { ...run, counters: { ...run.counters, removed: run.counters.removed + gone } };
}

/** Keys of documents, in a note. */
const SHOWN = 3;

interface Removing {
  readonly row: DatasourceRow;
  readonly run: RunRow;
  readonly now: Date;
}

async function removeDocuments(tx: Queries, { row, run, now }: Removing, keys: readonly string[]): Promise<void> {
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
