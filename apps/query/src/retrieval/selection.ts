import type { ScoredFragment } from '@quarry/fragment-store';
import type { Fused } from './fusion.js';

/** Of each place, so many different fragments are looked at: comparing texts takes time that grows with their square. */
const LOOKED_AT = 2;

/**
 * The best `topK` of what was found, best first, made useful:
 *
 * - A fragment is left out when a better one says all its words in the same order: copies under other addresses, the same
 *   text in other markup, a heading that the passage repeats.
 * - No document takes more than half of the places (but at least three) as long as others have fragments that score at
 *   least half as much as what would be pushed out.
 */
export function select(found: readonly Fused<ScoredFragment>[], topK: number): Fused<ScoredFragment>[] {
  const perDocument = Math.max(3, Math.ceil(topK / 2));
  const kept: Fused<ScoredFragment>[] = [];
  const surplus: Fused<ScoredFragment>[] = [];
  const said: string[] = [];
  const taken = new Map<string, number>();
  for (const candidate of found) {
    if (kept.length === topK || said.length === LOOKED_AT * topK) break;
    const words = wordsOf(candidate.item.text);
    if (said.some((better) => better.includes(words))) continue;
    said.push(words);
    const document = documentOf(candidate.item);
    const count = (taken.get(document) ?? 0) + 1;
    taken.set(document, count);
    (count > perDocument ? surplus : kept).push(candidate);
  }
  return withSurplus(kept, surplus, topK);
}

function withSurplus(
  kept: readonly Fused<ScoredFragment>[],
  surplus: readonly Fused<ScoredFragment>[],
  topK: number,
): Fused<ScoredFragment>[] {
  const chosen = [...kept];
  for (const candidate of surplus) {
    const weakest = chosen.at(-1);
    if (chosen.length === topK && (weakest === undefined || weakest.score >= candidate.score / 2)) break;
    if (chosen.length === topK) chosen.pop();
    chosen.push(candidate);
    chosen.sort((one, other) => other.score - one.score);
  }
  return chosen;
}

/** Only the words, each between spaces, so that containing one text means containing its words whole. */
function wordsOf(text: string): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [text];
  return ` ${words.join(' ')} `;
}

function documentOf({ datastoreId, documentKey }: ScoredFragment): string {
  return JSON.stringify([datastoreId, documentKey]);
}
