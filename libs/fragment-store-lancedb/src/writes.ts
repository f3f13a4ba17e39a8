import { computeDocumentId, type FoundContent } from '@quarry/fragment-store';
import type { Admission } from '@quarry/batching';
import { joinConditions, buildEqualsCondition } from './filters.js';
import { buildSlotId, type Replacement } from './rows.js';

/**
 * Maximum number of rows in a batch. It limits the memory, which holds the rows twice, and the time for which later
 * writes wait for the batch.
 */
const MAX_BATCH_ROWS = 2_000;
/** Maximum number of removals or confirmations in a batch. */
const MAX_BATCH_CHANGES = 200;

/**
 * Describes a change of a table. Documents are identified by their id. `remove-owned` removes the rows that match
 * `condition`.
 */
export type Write =
  | ({ readonly kind: 'replace' } & Replacement)
  | ({ readonly kind: 'remove' } & DocumentRemoval)
  | { readonly kind: 'remove-owned'; readonly condition: string }
  | { readonly kind: 'confirm'; readonly document: string; readonly found: FoundContent };

export interface DocumentRemoval {
  readonly document: string;
  /** Newest generation to remove. A newer generation of the document stays. */
  readonly upTo: number;
}

/**
 * Creates a function that decides which writes share a batch: writes of one kind, each document at most once, and
 * confirmations of one generation.
 */
export function createBatchAdmission(): Admission<Write> {
  const documents = new Set<string>();
  let kind: Write['kind'] | undefined;
  let generation: number | undefined;
  let changes = 0;
  let rows = 0;
  return (next) => {
    kind ??= next.kind;
    if (next.kind !== kind) return false;
    if (next.kind !== 'replace') changes += 1;
    if (next.kind === 'remove' || next.kind === 'remove-owned') return changes <= MAX_BATCH_CHANGES;
    if (next.kind === 'confirm') {
      generation ??= next.found.generation;
      return generation === next.found.generation && changes <= MAX_BATCH_CHANGES;
    }
    const document = computeDocumentId(next.version);
    if (documents.has(document)) return false;
    documents.add(document);
    return (rows += next.version.fragments.length) <= MAX_BATCH_ROWS;
  };
}

export function selectReplacements(batch: readonly Write[]): Replacement[] {
  return batch.flatMap((write) => (write.kind === 'replace' ? [write] : []));
}

export function selectDocumentRemovals(batch: readonly Write[]): DocumentRemoval[] {
  return batch.flatMap((write) => (write.kind === 'remove' ? [write] : []));
}

export function selectRemovalConditions(batch: readonly Write[]): string[] {
  return batch.flatMap((write) => (write.kind === 'remove-owned' ? [`(${write.condition})`] : []));
}

export function selectConfirmedDocuments(batch: readonly Write[]): string[] {
  return batch.flatMap((write) => (write.kind === 'confirm' ? [write.document] : []));
}

/** Holds the condition that selects the rows to confirm, and the new generation of these rows. */
export interface Confirmation {
  readonly condition: string;
  readonly generation: number;
}

/** Returns the confirmation of all documents of a batch. @returns undefined if the batch contains no confirmations */
export function buildConfirmation(batch: readonly Write[]): Confirmation | undefined {
  const confirmed = batch.flatMap((write) => (write.kind === 'confirm' ? [write] : []));
  const [first] = confirmed;
  if (first === undefined) return undefined;
  const { generation } = first.found;
  // Only the first row of a document is changed, because the generation of a document is read from this row.
  const rows = confirmed.map(({ document, found }) =>
    joinConditions(
      buildEqualsCondition('slot', buildSlotId(document, 0)),
      buildEqualsCondition('content_hash', found.contentHash),
    ),
  );
  return { condition: `generation < ${generation} AND (${rows.map((row) => `(${row})`).join(' OR ')})`, generation };
}
