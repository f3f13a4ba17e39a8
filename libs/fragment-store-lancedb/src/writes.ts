import { documentId, type DocumentVersion } from '@quarry/fragment-store';

/** What is committed together is in memory twice, and whoever comes after it waits for all of it. */
const MAX_BATCH_ROWS = 2_000;
const MAX_BATCH_REMOVALS = 200;

/** A change of a table. A removal is the condition that its rows meet. */
export type Write =
  | { readonly kind: 'replace'; readonly version: DocumentVersion }
  | { readonly kind: 'remove'; readonly condition: string };

/** Whether `next` may be committed together with `batch`: writes of one kind, and of one document no two. */
export function joinsBatch(batch: readonly Write[], next: Write): boolean {
  if (next.kind === 'remove') return batch.length < MAX_BATCH_REMOVALS && batch.every(({ kind }) => kind === 'remove');
  let rows = next.version.fragments.length;
  const document = documentId(next.version);
  for (const write of batch) {
    if (write.kind === 'remove' || documentId(write.version) === document) return false;
    rows += write.version.fragments.length;
  }
  return rows <= MAX_BATCH_ROWS;
}

export function replacedVersions(batch: readonly Write[]): DocumentVersion[] {
  return batch.flatMap((write) => (write.kind === 'replace' ? [write.version] : []));
}

export function removalConditions(batch: readonly Write[]): string[] {
  return batch.flatMap((write) => (write.kind === 'remove' ? [`(${write.condition})`] : []));
}
