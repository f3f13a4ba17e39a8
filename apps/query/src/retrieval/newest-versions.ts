import type { ScoredFragment } from '@quarry/fragment-store';
import type { RankedList } from './fusion.js';

/**
 * Removes outdated versions of documents. Each search sees one version of a document, but a document may be replaced between two
 * fused searches. Then only fragments of the newer version remain, in every list.
 */
export function keepNewestVersions(
  lists: readonly RankedList<ScoredFragment>[],
): readonly RankedList<ScoredFragment>[] {
  const newest = new Map<string, ScoredFragment>();
  for (const fragment of lists.flatMap(({ items }) => items)) {
    const before = newest.get(getDocumentId(fragment));
    if (before === undefined || before.generation < fragment.generation) newest.set(getDocumentId(fragment), fragment);
  }
  const isNewest = (fragment: ScoredFragment): boolean =>
    newest.get(getDocumentId(fragment))?.version === fragment.version;
  return lists.map((list) => ({ ...list, items: list.items.filter(isNewest) }));
}

function getDocumentId({ datastoreId, documentKey }: ScoredFragment): string {
  return JSON.stringify([datastoreId, documentKey]);
}
