import { documentId, type FoundContent } from '@quarry/fragment-store';
import type { Admission } from '@quarry/batching';
import { both, equals } from './filters.js';
import { slotOf, type Replacement } from './rows.js';

/** What is committed together is in memory twice, and whoever comes after it waits for all of it. */
const MAX_BATCH_ROWS = 2_000;
/** Removals or confirmations. */
const MAX_BATCH_CHANGES = 200;

/** A change of a table. Documents are named by their ids; `remove-owned` removes the rows that meet its condition. */
export type Write =
  | ({ readonly kind: 'replace' } & Replacement)
  | ({ readonly kind: 'remove' } & DocumentRemoval)
  | { readonly kind: 'remove-owned'; readonly condition: string }
  | { readonly kind: 'confirm'; readonly document: string; readonly found: FoundContent };

export interface DocumentRemoval {
  readonly document: string;
  /** What a newer generation stored or confirmed stays. */
  readonly upTo: number;
}

/** Together go writes of one kind, and of one document no two. Confirmations are of one run, too. */
export function newBatch(): Admission<Write> {
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
    const document = documentId(next.version);
    if (documents.has(document)) return false;
    documents.add(document);
    return (rows += next.version.fragments.length) <= MAX_BATCH_ROWS;
  };
}

export function replacementsOf(batch: readonly Write[]): Replacement[] {
  return batch.flatMap((write) => (write.kind === 'replace' ? [write] : []));
}

export function documentRemovalsOf(batch: readonly Write[]): DocumentRemoval[] {
  return batch.flatMap((write) => (write.kind === 'remove' ? [write] : []));
}

export function removalConditions(batch: readonly Write[]): string[] {
  return batch.flatMap((write) => (write.kind === 'remove-owned' ? [`(${write.condition})`] : []));
}

export function confirmedDocuments(batch: readonly Write[]): string[] {
  return batch.flatMap((write) => (write.kind === 'confirm' ? [write.document] : []));
}

/** Which rows become of which generation. */
export interface Confirmation {
  readonly condition: string;
  readonly generation: number;
}

/** @returns undefined for a batch of other writes */
export function confirmationOf(batch: readonly Write[]): Confirmation | undefined {
  const confirmed = batch.flatMap((write) => (write.kind === 'confirm' ? [write] : []));
  const [first] = confirmed;
  if (first === undefined) return undefined;
  const { generation } = first.found;
  // A document's first row says for the others what is stored.
  const rows = confirmed.map(({ document, found }) =>
    both(equals('slot', slotOf(document, 0)), equals('content_hash', found.contentHash)),
  );
  return { condition: `generation < ${generation} AND (${rows.map((row) => `(${row})`).join(' OR ')})`, generation };
}
