import type { Score } from './score.js';

/** Holds the text that an extractor returned for a page, and the page's main text according to the reference. */
export interface TextPair {
  readonly text: string;
  readonly reference: string;
}

const SHINGLE_LENGTH = 4;
/** Matches tokens as the expression `\w+` of Python does: letters, numbers and underscores. */
const TOKEN = /[\p{L}\p{N}_]+/gu;

/**
 * Computes the scores of Zyte's article-extraction-benchmark, which compares the frequencies of shingles: sequences of
 * four tokens. Precision and recall are means over the pages, and F1 is computed from these means. A page without
 * extracted text does not count for precision. A page with an empty reference does not count for recall.
 */
export function scoreShingles(pairs: readonly TextPair[]): Score {
  const pages = pairs.map(({ text, reference }) => {
    const [found, expected] = [countShingles(text), countShingles(reference)];
    let common = 0;
    for (const [shingle, count] of found) common += Math.min(count, expected.get(shingle) ?? 0);
    return { common, found: sumNumbers(found.values()), expected: sumNumbers(expected.values()) };
  });
  const precision = computeMean(pages.flatMap(({ common, found }) => (found === 0 ? [] : [common / found])));
  const recall = computeMean(pages.flatMap(({ common, expected }) => (expected === 0 ? [] : [common / expected])));
  return { precision, recall, f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}

/** Returns the frequency of each shingle in a text. A text of fewer than four tokens consists of one shingle. */
function countShingles(text: string): ReadonlyMap<string, number> {
  const tokens = [...text.matchAll(TOKEN)].map(([token]) => token);
  const counts = new Map<string, number>();
  const last = Math.max(0, tokens.length - SHINGLE_LENGTH);
  for (let start = 0; tokens.length > 0 && start <= last; start += 1) {
    const shingle = tokens.slice(start, start + SHINGLE_LENGTH).join(' ');
    counts.set(shingle, (counts.get(shingle) ?? 0) + 1);
  }
  return counts;
}

function sumNumbers(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function computeMean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sumNumbers(values) / values.length;
}
