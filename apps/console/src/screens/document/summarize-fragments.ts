import type { DatasourceDocument, DatasourceFragment } from '@quarry/client';

/** The number of passages and tokens of a document. */
export interface FragmentTotals {
  readonly passages: number;
  readonly tokens: number;
  /** False if the counts omit fragments of the document that are not loaded. */
  readonly isComplete: boolean;
}

/**
 * Returns the number of passages and tokens of a document. Counts the loaded fragments if all are loaded or no stored
 * counts are available; otherwise returns the stored counts.
 *
 * @param fragments the loaded fragments
 * @param hasMore true if some fragments of the document are not loaded
 * @param document the stored counts of the document; null or undefined if they are not available
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
