import { getTermShare, type DocumentProfile } from './document-profile.js';
import type { ScoredFragment } from './fragment-store.js';

/**
 * Minimum number of fragments that a lexical search reads and compares by their documents, even if the search returns
 * fewer fragments.
 */
export const MIN_COMPARED_FRAGMENTS = 50;

/**
 * Number of significant digits to which scores are rounded before a comparison. Stores compute scores in single
 * precision, with seven digits.
 */
const SCORE_DIGITS = 5;

/**
 * Orders the results of a lexical search by their own scores and by their documents, best first. The score of a
 * fragment whose document matches best stays the same. The scores of other fragments decrease, to no less than a third.
 * If any document matches, each result whose document has a profile has a `documentMatch`. Of fragments with equal
 * scores, the fragment of the newest generation comes first, because newer content is more often wanted.
 *
 * A document matches more if more of its fragments contain the query terms. A term counts more if fewer of the found
 * documents contain it. Only found documents are compared, so content outside the scope of a search has no influence.
 *
 * @param fragments the results of the search, best first
 * @param terms weighted terms of the query
 * @param getProfile returns the profile of a fragment's document, or undefined if the document has no profile. It must
 * return the same object for all fragments of a document.
 */
export function rankByDocuments(
  fragments: readonly ScoredFragment[],
  terms: ReadonlyMap<string, number>,
  getProfile: (fragment: ScoredFragment) => DocumentProfile | undefined,
): readonly ScoredFragment[] {
  const profiles = new Set(fragments.flatMap((fragment) => getProfile(fragment) ?? []));
  const matches = scoreProfiles([...profiles], terms);
  const best = Math.max(0, ...matches.values());
  if (best === 0) return sortFragments(fragments);
  const mean = [...matches.values()].reduce((sum, match) => sum + match, 0) / matches.size;
  const weight = computeDocumentWeight(profiles.size, fragments.length);
  const rankFragment = (fragment: ScoredFragment): ScoredFragment => {
    const profile = getProfile(fragment);
    const match = (profile === undefined ? mean : (matches.get(profile) ?? 0)) / best;
    const score = (fragment.score * (1 + weight * match)) / (1 + weight);
    return { ...fragment, score, ...(profile === undefined ? {} : { documentMatch: match }) };
  };
  return sortFragments(fragments.map(rankFragment));
}

/**
 * Orders fragments by score, then by generation, newest first, and finally by document key and ordinal, so that all
 * stores return the same order. Scores are rounded, because the last digit of a score depends on the order in which a
 * store adds up the terms.
 */
function sortFragments(fragments: readonly ScoredFragment[]): readonly ScoredFragment[] {
  return fragments
    .map((fragment) => ({ ...fragment, score: Number(fragment.score.toPrecision(SCORE_DIGITS)) }))
    .sort(compareFragments);
}

function compareFragments(one: ScoredFragment, other: ScoredFragment): number {
  return (
    other.score - one.score ||
    other.generation - one.generation ||
    compareTexts(one.documentKey, other.documentKey) ||
    one.ordinal - other.ordinal
  );
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/**
 * Returns the weight of the match of a document, relative to the score of a fragment of the document. The weight is 1
 * if all found fragments are from different documents, and nearly 2 if all fragments are from a few documents. Many
 * found fragments per document indicate large documents, whose profiles are more informative than the profile of a
 * single fragment.
 */
function computeDocumentWeight(documents: number, fragments: number): number {
  return 2 - documents / fragments;
}

/**
 * Returns the score of each profile for a query: the sum of the shares that the profile contains for the query terms.
 * Each share is multiplied by the weight of the term and by the rarity of the term among the profiles.
 */
function scoreProfiles(
  profiles: readonly DocumentProfile[],
  terms: ReadonlyMap<string, number>,
): ReadonlyMap<DocumentProfile, number> {
  const scores = new Map(profiles.map((profile) => [profile, 0]));
  for (const [term, weight] of terms) {
    const found = profiles
      .map((profile) => ({ profile, share: getTermShare(profile, term) }))
      .filter(({ share }) => share > 0);
    const rarity = Math.log(1 + (profiles.length - found.length + 0.5) / (found.length + 0.5));
    for (const { profile, share } of found) scores.set(profile, (scores.get(profile) ?? 0) + weight * rarity * share);
  }
  return scores;
}
