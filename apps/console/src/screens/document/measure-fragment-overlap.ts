import type { DatasourceFragment } from '@quarry/client';
import { measureOverlap } from '@quarry/text-analysis/overlap';

/** Upper bound of the characters per token in an overlap, relative to those in the whole fragment. */
const MAX_DENSITY = 2;

/**
 * Returns the number of characters at the start of a fragment that repeat the end of the previous fragment. Estimates
 * the maximum length of the overlap from the size of the fragment, because a tokenizer would be too large for a page.
 *
 * @param overlapTokens maximum number of tokens of the overlap
 */
export function measureFragmentOverlap(
  before: Pick<DatasourceFragment, 'text'>,
  { text, tokens }: Pick<DatasourceFragment, 'text' | 'tokens'>,
  overlapTokens: number,
): number {
  const maxLength = Math.ceil((overlapTokens / Math.max(tokens, 1)) * text.length * MAX_DENSITY);
  return measureOverlap(before.text, text, maxLength);
}
