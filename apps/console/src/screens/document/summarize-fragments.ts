import type { DatasourceDocument, DatasourceFragment } from '@quarry/client';

/** The counts of the searchable content of a document. */
export interface FragmentTotals {
  readonly passages: number;
  readonly tokens: number;
  /** False if the document has further fragments that the counts omit. */
  readonly isComplete: boolean;
}

/**
 * Counts the fragments of a document and their tokens.
 *
 * @param fragments the loaded fragments
 * @param hasMore true if the document has further fragments
 * @param document undefined or null if the counts of the document are not known
 */
export function summarizeFragments(
  fragments: readonly Pick<DatasourceFragment, 'tokens'>[],
  hasMore: boolean,
  document: Pick<DatasourceDocument, 'fragments' | 'storedTokens'> | null | undefined,
): FragmentTotals {
  if (hasMore && document !== null && document !== undefined) {
    return { passages: document.fragments, tokens: document.storedTokens, isComplete: true };
  }
  const tokens = fragments.reduce((sum, fragment) => sum + fragment.tokens, 0);
  return { passages: fragments.length, tokens, isComplete: !hasMore };
}
