import type { ScoredFragment } from '@quarry/fragment-store';
import type { Fused } from '../retrieval/fuse-lists.js';
import { findDefinedSubject } from './defined-subject.js';
import { extractQuestionWords } from './question-words.js';
import { createSubjectMatcher, type TitleMatcher } from './section-match.js';
import { type Sentence, splitIntoSentences } from './sentences.js';

/** Minimum match of a subject with the question for a definition. It excludes other forms of the word. */
export const DEFINITION_MATCH = 0.9;
/** Maximum number of words of a question that may only name a subject. */
const MAX_SUBJECT_WORDS = 3;

/** Returns how well the subject of a row matches the question, or that of a sentence that may be a definition. */
export function computeSubjectMatch({ kind, text, subject }: Sentence, matchSubject: TitleMatcher): number {
  if (kind === 'row') return matchSubject(subject ?? '');
  const defined = kind === 'prose' || kind === 'item' ? findDefinedSubject(text) : undefined;
  const match = defined === undefined ? 0 : matchSubject(defined);
  return match >= DEFINITION_MATCH ? match : 0;
}

/**
 * Includes a definition in the sources of a question that only names a subject, such as "What is a datasource?". Fragments that
 * mention a common subject often rank above the one that defines it, such as a row of a glossary. It takes the last place.
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
