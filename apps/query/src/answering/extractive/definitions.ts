import type { ScoredFragment } from '@quarry/fragment-store';
import type { Fused } from '../../retrieval/fuse-lists.js';
import { findDefinedSubject } from './defined-subject.js';
import { extractQuestionWords } from './question-words.js';
import { createSubjectMatcher, type TitleMatcher } from './section-match.js';
import { type Sentence, splitIntoSentences } from './sentences.js';

/**
 * Minimum match between the subject of a definition and the question, in [0, 1]. Another form of the word, such as its
 * plural, matches less.
 */
export const DEFINITION_MATCH = 0.9;
/** Maximum number of words of a question that may only name a subject. */
const MAX_SUBJECT_WORDS = 3;

/**
 * Computes how well the question matches the subject of a table row, or of a sentence that may be a definition, in [0,
 * 1].
 */
export function computeSubjectMatch({ kind, text, subject }: Sentence, matchSubject: TitleMatcher): number {
  if (kind === 'row') return matchSubject(subject ?? '');
  const defined = kind === 'prose' || kind === 'item' ? findDefinedSubject(text) : undefined;
  const match = defined === undefined ? 0 : matchSubject(defined);
  return match >= DEFINITION_MATCH ? match : 0;
}

/**
 * Replaces the last source by a definition if the question only names a subject, such as "What is a datasource?".
 * Fragments that only mention a subject often rank above the fragment that defines it, such as a row of a glossary.
 *
 * @param sources best first
 * @param candidates all fragments that were found, best first
 * @param topK maximum number of sources
 */
export function includeDefinition(
  sources: readonly ScoredFragment[],
  candidates: readonly Fused<ScoredFragment>[],
  question: string,
  topK: number,
): readonly ScoredFragment[] {
  const words = extractQuestionWords(question);
  if (sources.length < topK || words.length === 0 || words.length > MAX_SUBJECT_WORDS) return sources;
  const matchSubject = createSubjectMatcher(question);
  const isDefinition = ({ text }: ScoredFragment): boolean =>
    splitIntoSentences(text).some((sentence) => computeSubjectMatch(sentence, matchSubject) >= DEFINITION_MATCH);
  if (sources.some(isDefinition)) return sources;
  const found = candidates.find(({ item }) => isDefinition(item));
  return found === undefined ? sources : [...sources.slice(0, -1), { ...found.item, score: found.score }];
}
