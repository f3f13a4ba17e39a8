import { documentId, type DocumentVersion } from '@quarry/fragment-store';
import type { Admission } from './write-queue.js';

/** What is committed together is in memory twice, and whoever comes after it waits for all of it. */
const MAX_BATCH_ROWS = 2_000;
const MAX_BATCH_REMOVALS = 200;

/** A change of a table. A removal is the condition that its rows meet. */
export type Write =
  | { readonly kind: 'replace'; readonly version: DocumentVersion }
  | { readonly kind: 'remove'; readonly condition: string };

/** Together go writes of one kind, and of one document no two. */
export function newBatch(): Admission<Write> {
  const documents = new Set<string>();
  let kind: Write['kind'] | undefined;
  let removals = 0;
  let rows = 0;
  return (next) => {
    kind ??= next.kind;
    if (next.kind !== kind) return false;
    if (next.kind === 'remove') return (removals += 1) <= MAX_BATCH_REMOVALS;
    const document = documentId(next.version);
    if (documents.has(document)) return false;
    documents.add(document);
    return (rows += next.version.fragments.length) <= MAX_BATCH_ROWS;
  };
}

export function replacedVersions(batch: readonly Write[]): DocumentVersion[] {
  return batch.flatMap((write) => (write.kind === 'replace' ? [write.version] : []));
}

export function removalConditions(batch: readonly Write[]): string[] {
  return batch.flatMap((write) => (write.kind === 'remove' ? [`(${write.condition})`] : []));
}
