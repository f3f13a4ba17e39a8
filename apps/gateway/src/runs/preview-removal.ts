import { text } from 'node:stream/consumers';
import { and, eq } from 'drizzle-orm';
import { BlobNotFound, type BlobStore } from '@quarry/blob-store';
import type { WholeReading } from '@quarry/contracts';
import type { Queries } from '../database/database.js';
import { documents } from '../database/tables/documents.js';
import type { RunRow } from '../database/tables/runs.js';
import { MAY_HAVE_FRAGMENTS } from './stored-totals.js';
import { describeRemoval } from './mass-removal.js';
import { addNote } from './run-notes.js';

/** Holds the document keys that a dry run has found. */
export interface FoundKeys {
  readonly keys: ReadonlySet<string>;
  /** Number of these documents that could be indexed. */
  readonly valid: number;
}

/** Adds a note to a dry run, which states how many documents a real run with the same findings would remove. */
export async function previewRemoval(tx: Queries, run: RunRow, { keys, valid }: FoundKeys): Promise<RunRow> {
  const stored = await tx
    .select({ key: documents.documentKey })
    .from(documents)
    .where(and(eq(documents.datasourceId, run.datasourceId), MAY_HAVE_FRAGMENTS));
  const missing = stored.filter(({ key }) => !keys.has(key)).length;
  const known = run.documentsKnown ?? stored.length;
  const remaining = Math.max(stored.length - missing, valid);
  const removal = describeRemoval({ missing, known, remaining }, run.allowMassRemoval);
  if (removal?.needsConfirmation !== true) {
    return addNote({ ...run, removal }, `${missing} of ${known} known documents would be removed.`);
  }
  const note = `${missing} of ${known} known documents were not found again. They would be kept, because so many at once suggest a fault of the source. Only a sync with allowMassRemoval=true would remove them.`;
  return addNote({ ...run, removal }, note);
}

/** Reads the document keys that a dry run has stored in a blob. @returns undefined if the blob was already read and removed */
export async function readDryRunKeys(
  blobs: Pick<BlobStore, 'read'>,
  { blobKey, valid }: WholeReading,
): Promise<FoundKeys | undefined> {
  try {
    const keys: unknown = JSON.parse(await text(await blobs.read(blobKey)));
    if (!Array.isArray(keys))
      throw new TypeError(`expected a list of document keys in ${blobKey}, found ${typeof keys}`);
    return { keys: new Set(keys.map(String)), valid };
  } catch (error) {
    if (error instanceof BlobNotFound) return undefined;
    throw error;
  }
}
