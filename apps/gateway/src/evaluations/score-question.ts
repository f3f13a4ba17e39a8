import type { QuestionScores, RelevantReference } from '@quarry/contracts';
import type { StoredQuestion } from '../database/tables/evaluations.js';
import { buildOriginalAddress } from '../source-addresses/source-address.js';
import { containsText, normalizeText } from './match-text.js';
import { computeNdcg10, computeRecall, computeReciprocalRank, type MatchedReferences } from './ranking-measures.js';

/** A passage that a query found, with its text. */
export interface ScoredPassage {
  readonly datasourceId: string;
  readonly datasourceName: string;
  readonly customId: string | null;
  readonly source: string | null;
  readonly text: string;
  /** True if the answer cites the passage. Undefined for a search, which has no answer. */
  readonly cited?: boolean;
}

/** The outcome of a query: the passages, best first, and the answer of an agent. */
export interface Outcome {
  readonly passages: readonly ScoredPassage[];
  /** The answer of the agent. Undefined for a search of a datastore. */
  readonly answer: string | undefined;
}

export interface ScoredOutcome {
  readonly scores: Pick<QuestionScores, keyof QuestionScores>;
  /** For each passage, in the order of the passages: true if the passage matches a relevant reference. */
  readonly isRelevant: readonly boolean[];
}

/** Computes the measures of a question. A measure that does not apply to the question is null. */
export function scoreQuestion(question: StoredQuestion, { passages, answer }: Outcome): ScoredOutcome {
  const matches = matchReferences(question.relevant, passages);
  const references = question.relevant.length;
  const isRelevant = matches.map((numbers) => numbers.length > 0);
  const computeRankMeasure = (measure: (matches: MatchedReferences, references: number) => number): number | null =>
    references === 0 ? null : measure(matches, references);
  const texts = answer === undefined ? passages.map(({ text }) => text) : [answer];
  return {
    isRelevant,
    scores: {
      recall: computeRankMeasure(computeRecall),
      ndcg10: computeRankMeasure(computeNdcg10),
      mrr: computeRankMeasure(computeReciprocalRank),
      answerContains: question.expected.length === 0 ? null : toBinaryScore(containsAnyText(texts, question.expected)),
      ...scoreCitations(question, passages, isRelevant, answer !== undefined),
    },
  };
}

type CitationScores = Pick<QuestionScores, 'citationPrecision' | 'abstention' | 'answered'>;

/**
 * Computes the measures that depend on the citations of an answer. An answer that cites no source counts as an
 * abstention. For a search, which has no answer, all these measures are null.
 */
function scoreCitations(
  { relevant, unanswerable }: StoredQuestion,
  passages: readonly ScoredPassage[],
  isRelevant: readonly boolean[],
  isAnswer: boolean,
): CitationScores {
  if (!isAnswer) return { citationPrecision: null, abstention: null, answered: null };
  const cited = isRelevant.filter((_, at) => passages[at]?.cited === true);
  const hasCitations = cited.length > 0;
  const precision = cited.filter(Boolean).length / cited.length;
  return {
    citationPrecision: hasCitations && relevant.length > 0 ? precision : null,
    abstention: unanswerable ? toBinaryScore(!hasCitations) : null,
    answered: unanswerable ? null : toBinaryScore(hasCitations),
  };
}

function matchReferences(
  references: StoredQuestion['relevant'],
  passages: readonly ScoredPassage[],
): MatchedReferences {
  const tests = references.map(buildReferencePredicate);
  return passages.map((passage) => {
    const normalized = { name: normalizeText(passage.datasourceName), text: normalizeText(passage.text) };
    return tests.flatMap((test, number) => (test(passage, normalized) ? [number] : []));
  });
}

/** The name of a passage's datasource and the text of the passage, both normalized by `normalizeText`. */
interface NormalizedPassage {
  readonly name: string;
  readonly text: string;
}

type ReferenceTest = (passage: ScoredPassage, normalized: NormalizedPassage) => boolean;

/** Builds a function that returns true if a passage matches a reference. A reference has exactly one field. */
function buildReferencePredicate({
  document,
  source,
  datasourceId,
  customId,
  text,
}: StoredQuestion['relevant'][number]): ReferenceTest {
  if (isPresent(document)) {
    const name = normalizeText(document);
    return (_passage, normalized) => normalized.name === name;
  }
  if (isPresent(text)) {
    const part = normalizeText(text);
    return (_passage, normalized) => containsText(normalized.text, part);
  }
  if (isPresent(source)) return (passage) => hasSource(passage, source);
  if (isPresent(datasourceId)) return (passage) => passage.datasourceId === datasourceId.toLowerCase();
  return (passage) => isPresent(customId) && passage.customId === customId;
}

/**
 * Returns true if a passage has a source. The source of a passage without an address of its own is the address of its
 * original in this API. The beginning of this address is ignored, because it depends on the settings and the request.
 */
function hasSource(passage: ScoredPassage, source: string): boolean {
  if (passage.source !== null) return passage.source === source;
  return source.endsWith(buildOriginalAddress('', passage.datasourceId));
}

function isPresent(field: RelevantReference['text']): field is string {
  return field !== undefined && field !== null;
}

function containsAnyText(texts: readonly string[], expected: readonly string[]): boolean {
  const normalized = texts.map(normalizeText);
  return expected.map(normalizeText).some((part) => normalized.some((text) => containsText(text, part)));
}

function toBinaryScore(isCorrect: boolean): number {
  return isCorrect ? 1 : 0;
}
