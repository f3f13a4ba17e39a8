import { describe, expect, it } from 'vitest';
import { scoreQuestion, type ScoredPassage } from './score-question.js';
import type { StoredQuestion } from '../database/tables/evaluations.js';

const buildQuestion = (more: Partial<StoredQuestion> = {}): StoredQuestion => ({
  ...{ id: '1', question: 'When?', expected: [], relevant: [], unanswerable: false },
  ...more,
});
const buildPassage = (more: Partial<ScoredPassage> = {}): ScoredPassage => ({
  ...{ datasourceId: 'd1', datasourceName: 'Manual.pdf', customId: 'c1', source: 'https://example.org/a' },
  text: 'The shop  opens\nat 9:30.',
  ...more,
});
const OTHER = buildPassage({ datasourceId: 'd2', datasourceName: 'b', customId: null, source: null, text: 'Nothing.' });
const scoreSearch = (question: Partial<StoredQuestion>, passages: readonly ScoredPassage[]) =>
  scoreQuestion(buildQuestion(question), { passages, answer: undefined });

describe('a reference to relevant content', () => {
  it.each([
    [{ document: 'manual.PDF' }],
    [{ source: 'https://example.org/a' }],
    [{ datasourceId: 'D1' }],
    [{ customId: 'c1' }],
    [{ text: 'the shop opens AT 9:30' }],
  ])('the reference %j matches the passage whose field has this value, and matches no other passage', (reference) => {
    const { scores, isRelevant } = scoreSearch({ relevant: [reference] }, [OTHER, buildPassage()]);
    expect(isRelevant).toEqual([false, true]);
    expect(scores).toMatchObject({ recall: 1, mrr: 0.5 });
  });

  it('a reference to the address of an original matches the passages of this datasource that have no other address', () => {
    const reference = { source: 'https://example.org/quarry/api/datasources/d2/original' };
    const passages = [buildPassage({ datasourceId: 'd2' }), buildPassage({ source: null }), OTHER];
    expect(scoreSearch({ relevant: [reference] }, passages).isRelevant).toEqual([false, false, true]);
  });

  it('the ranking measures of a question without references are null', () => {
    expect(scoreSearch({}, [OTHER]).scores).toMatchObject({ recall: null, ndcg10: null, mrr: null });
    expect(scoreSearch({ relevant: [{ text: 'x' }] }, []).scores).toMatchObject({ recall: 0, ndcg10: 0, mrr: 0 });
  });
});

describe('answerContains', () => {
  it.each([
    ['The price is 15 EUR.', '5', 0],
    ['The price is 5.2 EUR.', '5', 0],
    ['The price is 0.5 EUR.', '5', 0],
    ['The price is 5 EUR.', '5', 1],
    ['It costs 15, or 5.', '5', 1],
    ['Ｏpens AT  Nine', 'opens at nine', 1],
    ['第5章', '5', 1],
    ['Opened on 24.12.2019 in Bern.', '2019', 1],
    ['Opened on 24.12.2019.', '24', 1],
    ['Opened on 24.12.2019.', '12.2019', 1],
    ['Opened on 24.12.2019.', '4.12.2019', 0],
    ['2019.12.24', '12', 1],
    ['Since 2018,2019,2020', '2019', 1],
    ['Version 5.2.1', '5.2', 0],
    ['Version 1.24.12.2019', '2019', 0],
    ['It costs 12,345,678.50 EUR.', '345', 0],
    ['Opens at ten', 'opens at nine', 0],
  ])('answerContains of the answer %j and the expected text %j is %d', (answer, expected, score) => {
    const { scores } = scoreQuestion(buildQuestion({ expected: ['absent', expected] }), { passages: [], answer });
    expect(scores.answerContains).toBe(score);
  });

  it('answerContains compares the expected text with the passages of a search, or with the answer of an agent', () => {
    const question = buildQuestion({ expected: ['opens at 9:30'] });
    const passages = [OTHER, buildPassage()];
    expect(scoreQuestion(question, { passages, answer: undefined }).scores.answerContains).toBe(1);
    expect(scoreQuestion(question, { passages, answer: 'I don’t know.' }).scores.answerContains).toBe(0);
  });
});

describe('the citations of an answer', () => {
  const setCited = (passage: ScoredPassage, cited: boolean): ScoredPassage => ({ ...passage, cited });
  const relevant = [{ document: 'Manual.pdf' }];

  it('citation precision is the share of relevant sources among the cited sources', () => {
    const passages = [setCited(buildPassage(), true), setCited(OTHER, true), setCited(OTHER, false)];
    const { scores } = scoreQuestion(buildQuestion({ relevant }), { passages, answer: 'At 9:30.' });
    expect(scores).toMatchObject({ citationPrecision: 0.5, answered: 1, abstention: null });
  });

  it('the citation precision of an abstention is null, and the abstention is correct only if the question is unanswerable', () => {
    const outcome = { passages: [setCited(buildPassage(), false)], answer: 'I don’t know.' };
    expect(scoreQuestion(buildQuestion({ relevant }), outcome).scores).toMatchObject({
      ...{ citationPrecision: null, answered: 0, abstention: null },
    });
    expect(scoreQuestion(buildQuestion({ unanswerable: true }), outcome).scores).toMatchObject({
      ...{ citationPrecision: null, answered: null, abstention: 1 },
    });
  });

  it('the citation measures of a search are null', () => {
    expect(scoreSearch({ unanswerable: true }, [OTHER]).scores).toMatchObject({ abstention: null, answered: null });
  });
});
