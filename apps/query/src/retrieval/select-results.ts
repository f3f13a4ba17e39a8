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

/**
 * Receives each fragment that a step of the search drops. `duplicateOf` is the id of the result that it duplicates, if
 * any.
 */
export type ReportDropped = (dropped: Fused<ScoredFragment>, reason: SearchDropReason, duplicateOf?: string) => void;

/** Holds a fragment, and its normalized words for comparisons with other fragments. */
interface Candidate {
  readonly fragment: Fused<ScoredFragment>;
  readonly words: string;
}

/**
 * Selects the best `topK` results, best first, without duplicates and with several documents:
 *
 * - It skips a fragment whose words a better result contains in the same order. Examples are a copy at another address,
 *   the same text with other markup, and a repeated heading.
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
  const selected: Candidate[] = [];
  const surplus: Candidate[] = [];
  const counts = new Map<string, number>();
  for (const [at, fragment] of found.entries()) {
    if (selected.length === topK || selected.length + surplus.length === COMPARED_PER_PLACE * topK) {
      if (reportDropped) for (const rest of found.slice(at)) reportDropped(rest, 'rank_cut');
      break;
    }
    const candidate = { fragment, words: normalizeWords(fragment.item.text) };
    const document = getDocumentId(fragment.item);
    const count = counts.get(document) ?? 0;
    const isSurplus = count >= perDocument;
    // A surplus fragment may be omitted, so a fragment within the limit of its own document can replace it.
    const better = findContaining(isSurplus ? [...selected, ...surplus] : selected, candidate);
    if (better !== undefined) {
      reportDropped?.(fragment, 'duplicate', better.fragment.item.id);
      continue;
    }
    counts.set(document, count + 1);
    (isSurplus ? surplus : selected).push(candidate);
  }
  const chosen = fillWithSurplusResults(selected, surplus, topK);
  if (reportDropped) reportOmittedCandidates(chosen, { selected, surplus }, reportDropped);
  return chosen.map(({ fragment }) => fragment);
}

/** Returns the first of `candidates` that contains all words of the given candidate, in the same order. */
function findContaining(candidates: readonly Candidate[], { words }: Candidate): Candidate | undefined {
  return candidates.find((one) => one.words.includes(words));
}

/**
 * Adds surplus candidates to the selected ones. A surplus candidate replaces a selected one whose words it contains, and
 * is omitted if it contains the words of several.
 */
function fillWithSurplusResults(
  selected: readonly Candidate[],
  surplus: readonly Candidate[],
  topK: number,
): readonly Candidate[] {
  let chosen = [...selected];
  for (const candidate of surplus) {
    const { score } = candidate.fragment;
    const weakest = chosen.at(-1);
    if (chosen.length === topK && (weakest === undefined || weakest.fragment.score >= score / 2)) break;
    const contained = chosen.filter(({ words }) => candidate.words.includes(words));
    // Otherwise, one result would replace several, and the search would return fewer results than it found.
    if (contained.length > 1) continue;
    chosen = chosen.filter((one) => !contained.includes(one));
    if (chosen.length === topK) chosen.pop();
    chosen.push(candidate);
    chosen.sort((one, other) => other.fragment.score - one.fragment.score);
  }
  return chosen;
}

function reportOmittedCandidates(
  chosen: readonly Candidate[],
  { selected, surplus }: { readonly selected: readonly Candidate[]; readonly surplus: readonly Candidate[] },
  reportDropped: ReportDropped,
): void {
  for (const candidate of selected.filter((one) => !chosen.includes(one))) {
    const better = findContaining(chosen, candidate);
    if (better === undefined) reportDropped(candidate.fragment, 'displaced');
    else reportDropped(candidate.fragment, 'duplicate', better.fragment.item.id);
  }
  for (const candidate of surplus) if (!chosen.includes(candidate)) reportDropped(candidate.fragment, 'document_limit');
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
