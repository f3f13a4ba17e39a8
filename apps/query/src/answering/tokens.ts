import { countTokens } from '@quarry/text-analysis/tokens';

/**
 * Maximum number of characters that are tokenized exactly. Each further byte counts as one token, which is a cheap upper bound
 * for byte-level tokenizers.
 */
const COUNTED_CHARACTERS = 32_000;
/** Upper bound of the average number of characters per token in prose. */
const CHARACTERS_PER_TOKEN = 12;
/** Factor by which each cut is shorter than the proportional length, so that a few cuts suffice. */
const MARGIN = 0.98;

/**
 * Returns the number of tokens in cl100k_base, or an upper bound for very long text. Tokenizers differ by model. In
 * most scripts, cl100k_base counts more tokens than most other tokenizers.
 */
export function estimateTokens(text: string): number {
  if (text.length <= COUNTED_CHARACTERS) return countTokens(text);
  const counted = truncateCharacters(text, COUNTED_CHARACTERS);
  return countTokens(counted) + Buffer.byteLength(text.slice(counted.length));
}

export interface CountedText {
  readonly text: string;
  readonly tokens: number;
}

/**
 * Truncates a text to at most `limit` tokens, without splitting a surrogate pair.
 *
 * @param countWhole counts the tokens of the whole text
 */
export function truncateToTokens(text: string, limit: number, countWhole = () => countTokens(text)): CountedText {
  let prefix = truncateCharacters(text, Math.floor(limit * CHARACTERS_PER_TOKEN));
  let tokens = prefix === text ? countWhole() : countTokens(prefix);
  while (tokens > limit && prefix !== '') {
    prefix = truncateCharacters(prefix, Math.floor((prefix.length * MARGIN * limit) / tokens));
    tokens = countTokens(prefix);
  }
  return { text: prefix, tokens };
}

function truncateCharacters(text: string, length: number): string {
  if (text.length <= length) return text;
  const isInsidePair = /[\ud800-\udbff]/.test(text.charAt(length - 1));
  return text.slice(0, Math.max(0, isInsidePair ? length - 1 : length));
}
