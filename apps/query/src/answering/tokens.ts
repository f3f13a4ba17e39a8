import { countTokens } from '@quarry/text-analysis/tokens';

/** Of a longer text, the rest counts a token a byte: an upper bound for every tokenizer that works on bytes, and free. */
const COUNTED_CHARACTERS = 32_000;
/** No token of running text is longer on average. */
const CHARACTERS_PER_TOKEN = 12;
/** Cutting in proportion alone would approach the limit in ever smaller steps. */
const MARGIN = 0.98;

/**
 * Returns how many tokens a text has in cl100k_base, or more for a very long text. Each model has a tokenizer of its own; this one
 * finds more tokens than others do in most scripts.
 */
export function estimateTokens(text: string): number {
  if (text.length <= COUNTED_CHARACTERS) return countTokens(text);
  const counted = beginningOf(text, COUNTED_CHARACTERS);
  return countTokens(counted) + Buffer.byteLength(text.slice(counted.length));
}

export interface CountedText {
  readonly text: string;
  readonly tokens: number;
}

/** Returns the beginning of a text that has at most `limit` tokens, without half a character at its end. */
export function truncate(text: string, limit: number): CountedText {
  let kept = beginningOf(text, Math.floor(limit * CHARACTERS_PER_TOKEN));
  let tokens = countTokens(kept);
  while (tokens > limit && kept !== '') {
    kept = beginningOf(kept, Math.floor((kept.length * MARGIN * limit) / tokens));
    tokens = countTokens(kept);
  }
  return { text: kept, tokens };
}

function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const isInsidePair = /[\ud800-\udbff]/.test(text.charAt(length - 1));
  return text.slice(0, Math.max(0, isInsidePair ? length - 1 : length));
}
