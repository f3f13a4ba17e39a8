import { text } from 'node:stream/consumers';
import { createRunNote, formatCount, type RunRemoval, type DryRunDocuments } from '@quarry/contracts';
import { and, eq } from 'drizzle-orm';
import { BlobNotFound, type BlobStore } from '@quarry/blob-store';
import type { Queries } from '../../database/database.js';
import { documents } from '../../database/tables/documents.js';
import type { RunRow } from '../../database/tables/runs.js';
import { MAY_HAVE_FRAGMENTS } from '../document-rows.js';
import { addRunNote } from '../run-notes.js';

/**
 * Maximum share of the known documents, in percent, that a sync removes without confirmation. If a larger share is
 * missing, the site or listing is probably broken.
 */
const THRESHOLD_PERCENT = 30;

/** Contains the number of documents that a run did not find again, and the numbers to which it is compared. */
export interface MissingDocuments {
  readonly missing: number;
  /** Number of documents of the datasource when the run began, including the missing documents. */
  readonly known: number;
  /**
   * Number of documents of the datasource after the removal of the missing documents, including documents that are new
   * in this run.
   */
  readonly remaining: number;
}

/**
 * Returns true when so many documents are missing that the site or listing is probably broken: more than 30 % of the
 * known documents, or all of them. One missing document is not a mass removal if others remain.
 */
export function isMassRemoval({ missing, known, remaining }: MissingDocuments): boolean {
  if (missing === 0) return false;
  // Compares integers, because 0.3 * 110 is slightly more than 33 in floating point.
  return remaining === 0 || (missing > 1 && missing * 100 > known * THRESHOLD_PERCENT);
}

/**
 * Builds the record of a run's missing documents. Returns null if none is missing.
 *
 * @param allowMassRemoval true if the run may remove any number of missing documents without confirmation
 */
export function buildRunRemoval(found: MissingDocuments, allowMassRemoval: boolean): RunRemoval | null {
  if (found.missing === 0) return null;
  const needsConfirmation = !allowMassRemoval && isMassRemoval(found);
  return { documents: found.missing, of: found.known, threshold: THRESHOLD_PERCENT / 100, needsConfirmation };
}

/** Holds the document keys that a dry run has found. */
export interface FoundKeys {
  readonly keys: ReadonlySet<string>;
  /** Number of the found documents that could be indexed. */
  readonly valid: number;
}

/**
 * Adds a note and `removal` to a dry run. Both state how many documents a real run that finds the same documents would
 * remove.
 */
export async function previewRemoval(tx: Queries, run: RunRow, { keys, valid }: FoundKeys): Promise<RunRow> {
  const stored = await tx
    .select({ key: documents.documentKey })
    .from(documents)
    .where(and(eq(documents.datasourceId, run.datasourceId), MAY_HAVE_FRAGMENTS));
  const missing = stored.filter(({ key }) => !keys.has(key)).length;
  const known = run.documentsKnown ?? stored.length;
  const remaining = Math.max(stored.length - missing, valid);
  const removal = buildRunRemoval({ missing, known, remaining }, run.allowMassRemoval);
  if (removal?.needsConfirmation !== true) {
    const note = `${missing} of ${formatCount(known, 'known document')} would be removed.`;
    return addRunNote(
      { ...run, removal },
      createRunNote('dry_run_missing_documents_removed', { missing, known }, note),
    );
  }
  const note = `${describeMissingDocuments(missing, known)}. ${missing === 1 ? 'It' : 'They'} would be kept, because so many at once suggest a fault of the source. Only a sync with allowMassRemoval=true would remove ${missing === 1 ? 'it' : 'them'}.`;
  return addRunNote({ ...run, removal }, createRunNote('dry_run_missing_documents_kept', { missing, known }, note));
}

/** Describes how many of the known documents were not found again, as the beginning of a sentence. */
export function describeMissingDocuments(missing: number, known: number): string {
  return `${missing} of ${formatCount(known, 'known document')} ${missing === 1 ? 'was' : 'were'} not found again`;
}

/**
 * Reads the document keys that a dry run has stored in a blob. @returns undefined if the blob was already read and
 * removed
 */
export async function readDryRunKeys(
  blobs: Pick<BlobStore, 'read'>,
  { blobKey, valid }: DryRunDocuments,
): Promise<FoundKeys | undefined> {
  try {
    const keys: unknown = JSON.parse(await text(await blobs.read(blobKey)));
    if (!Array.isArray(keys))
      throw new TypeError(`expected an array of document keys in blob ${blobKey}, found type ${typeof keys}`);
    return { keys: new Set(keys.map(String)), valid };
  } catch (error) {
    if (error instanceof BlobNotFound) return undefined;
    throw error;
  }
}
