import type { ScoredFragment } from '@quarry/fragment-store';
import type { Fused } from './fusion.js';

/** Maximum number of different fragments that are compared, as a multiple of `topK`. The cost grows quadratically. */
const COMPARED_PER_PLACE = 2;

/**
 * Selects the best `topK` results, best first, without duplicates and with several documents:
 *
 * - It skips a fragment whose words a better fragment contains in the same order, such as a copy at another address, the same
 * text with other markup, or a repeated heading.
 *
 * - It limits each document to half of the places (but at least three), as long as other documents have fragments with at least
 * half the score of those they replace.
 */
export function selectResults(found: readonly Fused<ScoredFragment>[], topK: number): Fused<ScoredFragment>[] {
  const perDocument = Math.max(3, Math.ceil(topK / 2));
  const selected: Fused<ScoredFragment>[] = [];
  const surplus: Fused<ScoredFragment>[] = [];
  const seen: string[] = [];
  const counts = new Map<string, number>();
  for (const candidate of found) {
    if (selected.length === topK || seen.length === COMPARED_PER_PLACE * topK) break;
    const words = normalizeWords(candidate.item.text);
    if (seen.some((better) => better.includes(words))) continue;
    seen.push(words);
    const document = getDocumentId(candidate.item);
    const count = (counts.get(document) ?? 0) + 1;
    counts.set(document, count);
    (count > perDocument ? surplus : selected).push(candidate);
  }
  return fillWithSurplus(selected, surplus, topK);
}

function fillWithSurplus(
  selected: readonly Fused<ScoredFragment>[],
  surplus: readonly Fused<ScoredFragment>[],
  topK: number,
): Fused<ScoredFragment>[] {
  const chosen = [...selected];
  for (const candidate of surplus) {
    const weakest = chosen.at(-1);
    if (chosen.length === topK && (weakest === undefined || weakest.score >= candidate.score / 2)) break;
    if (chosen.length === topK) chosen.pop();
    chosen.push(candidate);
    chosen.sort((one, other) => other.score - one.score);
  }
  return chosen;
}

/** Normalizes a text to its words, with a space before and after each one. A substring search then finds whole words only. */
function normalizeWords(text: string): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [text];
  return ` ${words.join(' ')} `;
}

function getDocumentId({ datastoreId, documentKey }: ScoredFragment): string {
  return JSON.stringify([datastoreId, documentKey]);
}
