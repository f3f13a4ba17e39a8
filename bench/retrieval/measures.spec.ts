import { describe, expect, it } from 'vitest';
import { computeMeasures } from './measures.js';

const createJudgements = (ids: Readonly<Record<string, number>>) => new Map(Object.entries(ids));

describe('the measures of a ranking', () => {
  it('all measures of a ranking are 1 if the relevant documents come first, ordered by relevance', () => {
    const perfect = { ranking: ['a', 'b', 'x'], relevant: createJudgements({ a: 2, b: 1 }) };
    expect(computeMeasures([perfect])).toEqual({
      ndcg10: 1,
      recall5: 1,
      recall100: 1,
      mrr: 1,
      hit1: 1,
      recallOf5Results: 1,
    });
  });

  it('all measures of a ranking are 0 if no relevant document is found', () => {
    expect(computeMeasures([{ ranking: ['x'], relevant: createJudgements({ a: 1 }) }])).toEqual({
      ...{ ndcg10: 0, recall5: 0, recall100: 0, mrr: 0, hit1: 0, recallOf5Results: 0 },
    });
  });

  it('if the only relevant document has the third rank, nDCG is 0.5 and MRR is 1/3', () => {
    const third = { ranking: ['x', 'y', 'a'], relevant: createJudgements({ a: 1 }) };
    expect(computeMeasures([third])).toMatchObject({ ndcg10: 0.5, mrr: 1 / 3 });
  });

  it('`ndcg10` uses the first 10 results of a ranking, `recall5` the first 5, and `recall100` the first 100', () => {
    const ranking = Array.from({ length: 200 }, (_, at) => `d${at}`);
    const seventh = { ranking, relevant: createJudgements({ d6: 1 }) };
    const eleventh = { ranking, relevant: createJudgements({ d10: 1 }) };
    const late = { ranking, relevant: createJudgements({ d100: 1 }) };
    expect(computeMeasures([seventh]).recall5).toBe(0);
    expect(computeMeasures([seventh]).ndcg10).toBeGreaterThan(0);
    expect(computeMeasures([eleventh])).toMatchObject({ ndcg10: 0, recall100: 1 });
    expect(computeMeasures([late])).toMatchObject({ recall100: 0, mrr: 0 });
  });

  it('`hit1` is 0 if the first document is not relevant, and `recallOf5Results` counts only the documents of the first five results', () => {
    const ranking = ['x', 'a', 'b'];
    const relevant = createJudgements({ a: 1, b: 1 });
    expect(computeMeasures([{ ranking, documentsOf5Results: ['x', 'a'], relevant }])).toMatchObject({
      ...{ hit1: 0, recallOf5Results: 0.5, recall5: 1 },
    });
  });

  it('the measures of several rankings are means over the queries that have relevant documents', () => {
    const found = { ranking: ['a'], relevant: createJudgements({ a: 1 }) };
    const missed = { ranking: ['x'], relevant: createJudgements({ a: 1 }) };
    const unanswerable = { ranking: ['x'], relevant: createJudgements({}) };
    expect(computeMeasures([found, missed, unanswerable]).recall5).toBe(0.5);
  });
});
