import type { ScoredFragment } from '@quarry/fragment-store';
import type { RankedList } from './fusion.js';

/**
 * Each search sees one version of a document. But when a document is replaced between two searches that are fused, the later
 * one has seen the newer version: then that alone stays, in every list.
 */
export function inOneVersion(lists: readonly RankedList<ScoredFragment>[]): readonly RankedList<ScoredFragment>[] {
  const newest = new Map<string, ScoredFragment>();
  for (const fragment of lists.flatMap(({ items }) => items)) {
    const before = newest.get(documentOf(fragment));
    if (before === undefined || before.generation < fragment.generation) newest.set(documentOf(fragment), fragment);
  }
  const stays = (fragment: ScoredFragment): boolean => newest.get(documentOf(fragment))?.version === fragment.version;
  return lists.map((list) => ({ ...list, items: list.items.filter(stays) }));
}

function documentOf({ datastoreId, documentKey }: ScoredFragment): string {
  return JSON.stringify([datastoreId, documentKey]);
}
