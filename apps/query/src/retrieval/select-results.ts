import type { SearchDropReason } from '@quarry/contracts';
import type { ScoredFragment } from '@quarry/fragment-store';
import { countQueryWords } from '@quarry/text-analysis';
import { getDocumentId } from './document-id.js';
import type { Fused, RankedList } from './fuse-lists.js';

/**
 * Maximum number of different fragments that `selectResults` compares with each other, as a multiple of `topK`. The
 * cost grows with the square of this number.
 */
const COMPARED_PER_PLACE = 2;

/** Receives each fragment that a step of the search discards. `duplicateOf` is the id of the kept duplicate, if any. */
export type ReportDropped = (dropped: Fused<ScoredFragment>, reason: SearchDropReason, duplicateOf?: string) => void;

/**
 * Selects the best `topK` results, best first, without duplicates and with several documents:
 *
 * - It skips a fragment whose words a better fragment contains in the same order. Examples are a copy at another
 *   address, the same text with other markup, and a repeated heading.
 * - It selects from each document at most half of `topK` fragments, or three if that is more. It omits a fragment above
 *   this limit only if it can select fragments of other documents with at least half its score instead.
 *
 * @param reportDropped receives the fragments that are not selected; absent if the caller does not need them
 */
export function selectResults(
  found: readonly Fused<ScoredFragment>[],
  topK: number,
  reportDropped?: ReportDropped,
): Fused<ScoredFragment>[] {
  const perDocument = Math.max(3, Math.ceil(topK / 2));
  const selected: Fused<ScoredFragment>[] = [];
  const surplus: Fused<ScoredFragment>[] = [];
  const seen: { readonly id: string; readonly words: string }[] = [];
  const counts = new Map<string, number>();
  for (const [at, candidate] of found.entries()) {
    if (selected.length === topK || seen.length === COMPARED_PER_PLACE * topK) {
      if (reportDropped) for (const rest of found.slice(at)) reportDropped(rest, 'rank_cut');
      break;
    }
    const { id, text } = candidate.item;
    const words = normalizeWords(text);
    const better = seen.find((one) => one.words.includes(words));
    if (better !== undefined) {
      reportDropped?.(candidate, 'duplicate', better.id);
      continue;
    }
    seen.push({ id, words });
    const document = getDocumentId(candidate.item);
    const count = (counts.get(document) ?? 0) + 1;
    counts.set(document, count);
    (count > perDocument ? surplus : selected).push(candidate);
  }
  const chosen = fillWithSurplusResults(selected, surplus, topK);
  if (reportDropped) {
    for (const candidate of selected) if (!chosen.includes(candidate)) reportDropped(candidate, 'displaced');
    for (const candidate of surplus) if (!chosen.includes(candidate)) reportDropped(candidate, 'document_limit');
  }
  return chosen;
}

function fillWithSurplusResults(
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

/** Normalizes a text to its words, separated and enclosed by spaces. A substring search then finds only whole words. */
function normalizeWords(text: string): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [text];
  return ` ${words.join(' ')} `;
}

/**
 * Removes the fragments of outdated document versions from all lists. The lists come from separate queries, each of
 * which finds one version of a document. The document may be replaced between two of these queries.
 *
 * @param reportDropped receives the removed fragments, once per list
 */
export function keepNewestVersions(
  lists: readonly RankedList<ScoredFragment>[],
  reportDropped?: ReportDropped,
): readonly RankedList<ScoredFragment>[] {
  if (lists.length < 2) return lists;
  const newest = new Map<string, ScoredFragment>();
  for (const fragment of lists.flatMap(({ items }) => items)) {
    const before = newest.get(getDocumentId(fragment));
    if (before === undefined || before.generation < fragment.generation) newest.set(getDocumentId(fragment), fragment);
  }
  const isNewestVersion = (fragment: ScoredFragment): boolean =>
    newest.get(getDocumentId(fragment))?.version === fragment.version;
  if (reportDropped) {
    const outdated = lists.flatMap(({ items }) => items.filter((fragment) => !isNewestVersion(fragment)));
    for (const item of outdated) reportDropped({ item, score: 0 }, 'superseded_version');
  }
  return lists.map((list) => ({ ...list, items: list.items.filter(isNewestVersion) }));
}

/** BM25 score per query word that `createLexicalNormalizer` maps to 0.5. */
const HALF_BM25 = 2.5;

/** Converts a cosine similarity to a score in [0, 1], comparable between queries. A negative similarity becomes 0. */
export function normalizeCosine(cosine: number): number {
  return Math.min(1, Math.max(0, cosine));
}

/**
 * Returns a function that maps a BM25 score `s` to [0, 1) with `s / (s + 2.5n)`, for a query of n different words. BM25
 * has no upper bound and grows with the number of query words.
 */
export function createLexicalNormalizer(query: string): (bm25: number) => number {
  const words = Math.max(1, countQueryWords(query));
  return (bm25) => Math.max(0, bm25) / (Math.max(0, bm25) + HALF_BM25 * words);
}
