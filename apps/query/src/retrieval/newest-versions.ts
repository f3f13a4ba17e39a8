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
    const before = newest.get(documentOf(fragment));
    if (before === undefined || before.generation < fragment.generation) newest.set(documentOf(fragment), fragment);
  }
  const isNewest = (fragment: ScoredFragment): boolean =>
    newest.get(documentOf(fragment))?.version === fragment.version;
  return lists.map((list) => ({ ...list, items: list.items.filter(isNewest) }));
}

function documentOf({ datastoreId, documentKey }: ScoredFragment): string {
  return JSON.stringify([datastoreId, documentKey]);
}
