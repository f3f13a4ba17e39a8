import type { QuarryClient } from '@quarry/client';
import type { MeasureName } from './measures.js';

export type EvaluatedQuestion = Awaited<ReturnType<QuarryClient['listEvaluationQuestions']>>['items'][number];
export type QuestionVerdict = 'better' | 'worse' | 'same';

/** A question in two evaluations. */
export interface ComparedQuestion {
  readonly id: string;
  readonly question: string;
  readonly here: number;
  readonly there: number;
  readonly verdict: QuestionVerdict;
}

/** Returns the value of a measure of a question. Null if it does not apply or the question failed. */
export function getScore({ scores, latencyMs }: EvaluatedQuestion, measure: MeasureName): number | null {
  return measure === 'latencyMs' ? latencyMs : (scores?.[measure] ?? null);
}

/**
 * Compares two evaluations question by question. Leaves out questions without a value in both. The greatest differences come
 * first.
 */
export function compareQuestions(
  here: readonly EvaluatedQuestion[],
  there: readonly EvaluatedQuestion[],
  measure: MeasureName,
): readonly ComparedQuestion[] {
  const others = new Map(there.map((question) => [question.id, getScore(question, measure)]));
  return here
    .flatMap((question) => {
      const own = getScore(question, measure);
      const other = others.get(question.id) ?? null;
      if (own === null || other === null) return [];
      const verdict = judge(own - other, measure);
      return [{ id: question.id, question: question.question, here: own, there: other, verdict }];
    })
    .toSorted((a, b) => Math.abs(b.here - b.there) - Math.abs(a.here - a.there));
}

/** Judges a difference. For durations, a smaller value is better. */
function judge(difference: number, measure: MeasureName): QuestionVerdict {
  if (difference === 0) return 'same';
  return difference > 0 === (measure !== 'latencyMs') ? 'better' : 'worse';
}

export type QuestionOrder = 'dataset' | 'worst' | 'best';

/** Sorts questions by a measure. Questions without a value are last. */
export function sortQuestions(
  questions: readonly EvaluatedQuestion[],
  order: QuestionOrder,
  measure: MeasureName,
): readonly EvaluatedQuestion[] {
  if (order === 'dataset') return questions;
  const sign = (order === 'worst' ? 1 : -1) * (measure === 'latencyMs' ? -1 : 1);
  return questions.toSorted((a, b) => {
    const [one, other] = [getScore(a, measure), getScore(b, measure)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return sign * (one - other);
  });
}

const MAIN_MEASURES = ['answerContains', 'ndcg10', 'abstention', 'answered', 'latencyMs'] as const;

/** Finds the first measure that applies to one of the questions. */
export function findMainMeasure(questions: readonly EvaluatedQuestion[]): MeasureName {
  return (
    MAIN_MEASURES.find((measure) => questions.some((question) => getScore(question, measure) !== null)) ?? 'ndcg10'
  );
}
