import { describe, expect, it } from 'vitest';
import {
  compareQuestionScores,
  findMainQuestionMeasure,
  sortQuestions,
  type EvaluatedQuestion,
} from './judge-questions.js';

function makeQuestion(id: string, ndcg10: number | null, latencyMs: number | null = null): EvaluatedQuestion {
  return {
    id,
    question: `Question ${id}`,
    expected: [],
    relevant: [],
    unanswerable: false,
    status: ndcg10 === null ? 'failed' : 'done',
    error: null,
    scores:
      ndcg10 === null
        ? null
        : {
            recall: null,
            ndcg10,
            mrr: null,
            answerContains: null,
            citationPrecision: null,
            abstention: null,
            answered: null,
          },
    latencyMs,
    answer: null,
    results: [],
  };
}

describe('compareQuestionScores', () => {
  it('compareQuestionScores returns a verdict on each question, and sorts the questions by the size of the score difference, largest first', () => {
    const here = [makeQuestion('a', 0.5), makeQuestion('b', 1), makeQuestion('c', 0)];
    const there = [makeQuestion('a', 0.5), makeQuestion('b', 0.4), makeQuestion('c', 1)];
    const compared = compareQuestionScores(here, there, 'ndcg10').map(({ id, verdict }) => [id, verdict]);
    expect(compared).toEqual([
      ['c', 'worse'],
      ['b', 'better'],
      ['a', 'same'],
    ]);
  });

  it('compareQuestionScores omits questions that failed in one evaluation', () => {
    expect(compareQuestionScores([makeQuestion('a', 1)], [makeQuestion('a', null)], 'ndcg10')).toEqual([]);
  });

  it('compareQuestionScores returns the verdict “better” for a shorter latency', () => {
    const compared = compareQuestionScores([makeQuestion('a', 1, 20)], [makeQuestion('a', 1, 90)], 'latencyMs');
    expect(compared).toMatchObject([{ verdict: 'better' }]);
  });
});

describe('sortQuestions', () => {
  const questions = [makeQuestion('a', 0.5), makeQuestion('b', null), makeQuestion('c', 0), makeQuestion('d', 1)];

  it.each([
    ['dataset', 'abcd'],
    ['worst', 'cadb'],
    ['best', 'dacb'],
  ] as const)('for the order “%s”, sortQuestions returns the questions a, b, c and d as %s', (order, ids) => {
    expect(
      sortQuestions(questions, order, 'ndcg10')
        .map(({ id }) => id)
        .join(''),
    ).toBe(ids);
  });
});

it('findMainQuestionMeasure returns the first measure for which at least one question has a value', () => {
  expect(findMainQuestionMeasure([makeQuestion('a', null), makeQuestion('b', 1)])).toBe('ndcg10');
});
