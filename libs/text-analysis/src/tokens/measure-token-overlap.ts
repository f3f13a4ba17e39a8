import { measureOverlap } from '../overlap.js';
import { countTokens } from './count-tokens.js';
import { findLongestStart } from './find-longest-start.js';

/**
 * Number of tokens by which an overlap, or its start up to a character within a word, can exceed the maximum. Splitting
 * counts the sentences of an overlap one by one, and then removes white space from its ends.
 */
const SLACK_TOKENS = 3;

/**
 * Returns the number of characters at the start of a fragment that repeat the end of the text before it, as
 * `measureOverlap` does.
 *
 * @param maxTokens maximum number of tokens of the overlap with which the text was split. If it was higher then, the
 *   result can be 0 although the fragment begins with repeated text: no text of the document is lost.
 */
export function measureTokenOverlap(before: string, fragment: string, maxTokens: number): number {
  if (maxTokens === 0) return 0;
  const longest = findLongestStart(fragment, (part) => countTokens(part) <= maxTokens + SLACK_TOKENS);
  return measureOverlap(before, fragment, longest.length);
}
