import { wordsOf } from '../files/token-recall.js';

/** Shares in [0, 1]. */
export interface Score {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/**
 * How much of a text is what the reference says, and how much of the reference is in the text: words, each as often as it
 * stands there. Where the reference says nothing, nothing is right.
 */
export function scoreOf(text: string, reference: string): Score {
  const [found, expected] = [wordsOf(text), wordsOf(reference)];
  if (expected.length === 0) return found.length === 0 ? { precision: 1, recall: 1, f1: 1 } : NOTHING;
  const common = countCommon(found, expected);
  if (common === 0) return NOTHING;
  const [precision, recall] = [common / found.length, common / expected.length];
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

const NOTHING: Score = { precision: 0, recall: 0, f1: 0 };

/** How many of the things, cells or pieces of code, are among those that were found. White space makes no difference. */
export function countKept(things: readonly string[], found: readonly string[]): number {
  return countCommon(things.map(squeezed), found.map(squeezed));
}

function countCommon(some: readonly string[], others: readonly string[]): number {
  const left = new Map<string, number>();
  for (const each of some) left.set(each, (left.get(each) ?? 0) + 1);
  return others.filter((each) => {
    const count = left.get(each) ?? 0;
    left.set(each, count - 1);
    return count > 0;
  }).length;
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
