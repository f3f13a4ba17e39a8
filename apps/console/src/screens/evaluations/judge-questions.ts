import type { QuarryClient } from '@quarry/client';
import type { MeasureName } from './measures.js';

export type EvaluatedQuestion = Awaited<ReturnType<QuarryClient['listEvaluationQuestions']>>['items'][number];
export type QuestionVerdict = 'better' | 'worse' | 'same';

/**
 * The values of a measure for one question in two evaluations. `verdict` is `better` if `here` is better than `there`.
 */
export interface ComparedQuestion {
  readonly id: string;
  readonly question: string;
  readonly here: number;
  readonly there: number;
  readonly verdict: QuestionVerdict;
}

/**
 * Returns the value of a measure for a question. Returns null if the question has no such value, for example because it
 * failed.
 */
export function getQuestionScore({ scores, latencyMs }: EvaluatedQuestion, measure: MeasureName): number | null {
  return measure === 'latencyMs' ? latencyMs : (scores?.[measure] ?? null);
}

/**
 * Compares two evaluations question by question. Returns the questions with the greatest differences first. Omits
 * questions that lack a value in one of the evaluations.
 */
export function compareQuestionScores(
  questions: readonly EvaluatedQuestion[],
  otherQuestions: readonly EvaluatedQuestion[],
  measure: MeasureName,
): readonly ComparedQuestion[] {
  const others = new Map(otherQuestions.map((question) => [question.id, getQuestionScore(question, measure)]));
  return questions
    .flatMap((question) => {
      const own = getQuestionScore(question, measure);
      const other = others.get(question.id) ?? null;
      if (own === null || other === null) return [];
      const verdict = judgeDifference(own - other, measure);
      return [{ id: question.id, question: question.question, here: own, there: other, verdict }];
    })
    .toSorted((a, b) => Math.abs(b.here - b.there) - Math.abs(a.here - a.there));
}

/**
 * Returns the verdict on a value of a measure from its difference to another value. A lower latency is better; for
 * other measures, a higher value is better.
 */
function judgeDifference(difference: number, measure: MeasureName): QuestionVerdict {
  if (difference === 0) return 'same';
  return difference > 0 === (measure !== 'latencyMs') ? 'better' : 'worse';
}

export type QuestionOrder = 'dataset' | 'worst' | 'best';

/** Sorts questions by their value of a measure, those without a value last. The order `dataset` changes nothing. */
export function sortQuestions(
  questions: readonly EvaluatedQuestion[],
  order: QuestionOrder,
  measure: MeasureName,
): readonly EvaluatedQuestion[] {
  if (order === 'dataset') return questions;
  const sign = (order === 'worst' ? 1 : -1) * (measure === 'latencyMs' ? -1 : 1);
  return questions.toSorted((a, b) => {
    const [one, other] = [getQuestionScore(a, measure), getQuestionScore(b, measure)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return sign * (one - other);
  });
}

const MAIN_MEASURES = ['answerContains', 'ndcg10', 'abstention', 'answered', 'latencyMs'] as const;

/** Returns the first of `MAIN_MEASURES` for which at least one question has a value; `ndcg10` if there is none. */
export function findMainQuestionMeasure(questions: readonly EvaluatedQuestion[]): MeasureName {
  return (
    MAIN_MEASURES.find((measure) => questions.some((question) => getQuestionScore(question, measure) !== null)) ??
    'ndcg10'
  );
}
