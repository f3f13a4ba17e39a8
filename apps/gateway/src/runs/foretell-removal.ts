import { and, eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { documents } from '../database/tables/documents.js';
import type { RunRow } from '../database/tables/runs.js';
import { HELD } from './held-documents.js';
import { isMassRemoval } from './mass-removal.js';
import { withNote } from './with-note.js';

/** All that a dry run has seen. */
export interface Seen {
  readonly keys: ReadonlySet<string>;
  /** How many of them could be indexed. */
  readonly valid: number;
}

/** Says what `removeGone` would do with a run that sees the same. */
export async function foretellRemoval(tx: Queries, run: RunRow, { keys, valid }: Seen): Promise<RunRow> {
  const held = await tx
    .select({ key: documents.documentKey })
    .from(documents)
    .where(and(eq(documents.datasourceId, run.datasourceId), HELD));
  const gone = held.filter(({ key }) => !keys.has(key)).length;
  const known = run.documentsKnown ?? held.length;
  const left = Math.max(held.length - gone, valid);
  if (run.allowMassRemoval || !isMassRemoval({ gone, known, left })) {
    return withNote(run, `${gone} of ${known} known documents would be removed.`);
  }
  const note = `${gone} of ${known} known documents were not found again, which are so many that they would be kept: they would be removed with allowMassRemoval=true alone.`;
  return withNote(run, note);
}
