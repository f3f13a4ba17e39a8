import { splitIntoWords } from '../files/token-recall.js';

/** Ratios from 0 to 1 that state how well a text matches a reference. */
export interface Score {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/**
 * Compares word frequencies of a text and a reference. If the reference is empty, all ratios are 1 for an empty text,
 * else 0.
 */
export function computeScore(text: string, reference: string): Score {
  const [found, expected] = [splitIntoWords(text), splitIntoWords(reference)];
  if (expected.length === 0) return found.length === 0 ? { precision: 1, recall: 1, f1: 1 } : NOTHING;
  const common = countCommonStrings(found, expected);
  if (common === 0) return NOTHING;
  const [precision, recall] = [common / found.length, common / expected.length];
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

const NOTHING: Score = { precision: 0, recall: 0, f1: 0 };

/** Counts the expected table cells or code blocks that an extractor found. Treats any white space as one space. */
export function countFoundIgnoringWhiteSpace(expected: readonly string[], found: readonly string[]): number {
  return countCommonStrings(expected.map(collapseWhiteSpace), found.map(collapseWhiteSpace));
}

function countCommonStrings(first: readonly string[], second: readonly string[]): number {
  const left = new Map<string, number>();
  for (const each of first) left.set(each, (left.get(each) ?? 0) + 1);
  return second.filter((each) => {
    const count = left.get(each) ?? 0;
    left.set(each, count - 1);
    return count > 0;
  }).length;
}

function collapseWhiteSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
