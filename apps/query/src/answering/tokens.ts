import { countTokens } from '@quarry/text-analysis/tokens';

/**
 * Maximum number of characters of a text that `estimateTokens` tokenizes exactly. Each byte after them counts as one
 * token, which is a cheap upper bound for byte-level tokenizers.
 */
const COUNTED_CHARACTERS = 32_000;
/** Upper bound of the average number of characters per token in prose. */
const CHARACTERS_PER_TOKEN = 12;
/**
 * Factor that makes each cut a little shorter than the ratio of allowed to counted tokens requires, so that few cuts
 * suffice.
 */
const MARGIN = 0.98;

/**
 * Returns the number of tokens of a text in the encoding cl100k_base, or an upper bound for very long text. The model
 * may use another tokenizer. In most scripts, cl100k_base counts more tokens than most other tokenizers.
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
 * Truncates a text to at most `maxTokens` tokens, without splitting a surrogate pair.
 *
 * @param countWhole counts the tokens of the whole text
 */
export function truncateToTokens(text: string, maxTokens: number, countWhole = () => countTokens(text)): CountedText {
  let prefix = truncateCharacters(text, Math.floor(maxTokens * CHARACTERS_PER_TOKEN));
  let tokens = prefix === text ? countWhole() : countTokens(prefix);
  while (tokens > maxTokens && prefix !== '') {
    prefix = truncateCharacters(prefix, Math.floor((prefix.length * MARGIN * maxTokens) / tokens));
    tokens = countTokens(prefix);
  }
  return { text: prefix, tokens };
}

function truncateCharacters(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const isInsidePair = /[\ud800-\udbff]/.test(text.charAt(maxLength - 1));
  return text.slice(0, Math.max(0, isInsidePair ? maxLength - 1 : maxLength));
}
