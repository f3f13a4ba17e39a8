import type { ScoredFragment } from '@quarry/fragment-store';
import type { Fused } from '../../retrieval/fuse-lists.js';
import { findDefinedSubject } from './defined-subject.js';
import { extractQuestionWords } from './question-words.js';
import { createSubjectMatcher, type TitleMatcher } from './section-match.js';
import { type Sentence, splitIntoSentences } from './sentences.js';

/**
 * Minimum match between the subject of a sentence and the question, in [0, 1], so that the sentence counts as the
 * definition. A subject that is only a different form of the question's word, such as its plural, has a smaller match.
 */
export const DEFINITION_MATCH = 0.9;
/** Maximum number of significant words of a question that only names a subject. */
const MAX_SUBJECT_WORDS = 3;

/**
 * Computes how well the question matches the subject of a table row or a definition, in [0, 1]. Returns 0 for a
 * definition whose match is below `DEFINITION_MATCH`, and for any other text.
 */
export function computeSubjectMatch({ kind, text, subject }: Sentence, matchSubject: TitleMatcher): number {
  if (kind === 'row') return matchSubject(subject ?? '');
  const defined = kind === 'prose' || kind === 'item' ? findDefinedSubject(text) : undefined;
  const match = defined === undefined ? 0 : matchSubject(defined);
  return match >= DEFINITION_MATCH ? match : 0;
}

/**
 * Replaces the last source by the best fragment that contains a definition. Does so only if the question just names a
 * subject, such as "What is a datasource?", and no source defines it.
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
