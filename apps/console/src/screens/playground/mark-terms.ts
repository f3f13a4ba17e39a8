/** A part of a text. Parts that match a term of the query are marked. */
export interface TextPart {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Minimum number of characters of a term that also marks longer words with the same beginning. */
const MIN_STEM = 3;
/** Maximum number of characters that a marked word has after the term, such as the ending `-ings`. */
const MAX_ENDING = 4;

/**
 * Splits a text into parts, and marks the words that begin with a term of the query. Terms are stems, so `warranti`
 * also marks `warranty`. The marks may differ from the matches of the search, which compares the stem of each word.
 */
export function markTerms(text: string, terms: readonly string[]): readonly TextPart[] {
  const stems = terms.map((term) => term.toLowerCase().replace(/i$/, ''));
  const parts: TextPart[] = [];
  for (const part of text.split(/([\p{L}\p{N}]+)/u)) {
    if (part === '') continue;
    const word = part.toLowerCase();
    const isMarked = stems.some((stem) => word === stem || isInflectionOf(word, stem));
    const last = parts.at(-1);
    if (last?.isMarked === isMarked) parts[parts.length - 1] = { text: last.text + part, isMarked };
    else parts.push({ text: part, isMarked });
  }
  return parts;
}

function isInflectionOf(word: string, stem: string): boolean {
  return stem.length >= MIN_STEM && word.startsWith(stem) && word.length <= stem.length + MAX_ENDING;
}
