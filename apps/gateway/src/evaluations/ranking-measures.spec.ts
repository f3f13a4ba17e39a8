import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeNdcg10, computeRecall, computeReciprocalRank } from './ranking-measures.js';

const REFERENCES = 4;
const rankings = fc.array(fc.uniqueArray(fc.nat(REFERENCES - 1), { maxLength: 2 }), { maxLength: 15 });

describe('the measures of a ranking', () => {
  it('recall, nDCG and MRR of example rankings have the values that their formulas define', () => {
    expect(computeReciprocalRank([[], [], [0]])).toBeCloseTo(1 / 3);
    expect(computeRecall([[], [0], [0]], 2)).toBe(0.5);
    expect(computeNdcg10([[0]], 1)).toBe(1);
    expect(computeNdcg10([[], [0]], 1)).toBeCloseTo(1 / Math.log2(3));
    // Two references at the ranks 1 and 3: (1 + 1/2) / (1 + 1/log2(3)).
    expect(computeNdcg10([[0], [], [1]], 2)).toBeCloseTo(1.5 / (1 + 1 / Math.log2(3)));
  });

  it('a reference that several results match counts once, at the rank of the first match', () => {
    expect(computeNdcg10([[0], [0], [0]], 1)).toBe(1);
    expect(computeNdcg10([[0], [0]], 2)).toBeCloseTo(1 / (1 + 1 / Math.log2(3)));
    expect(computeRecall([[0], [0]], 2)).toBe(0.5);
  });

  it('nDCG ignores the results after the tenth result', () => {
    const late = [...Array.from({ length: 10 }, () => []), [0]];
    expect(computeNdcg10(late, 1)).toBe(0);
    expect(computeReciprocalRank(late)).toBeCloseTo(1 / 11);
  });

  it('all ranking measures are between 0 and 1, and recall is 0 exactly if MRR is 0', () => {
    fc.assert(
      fc.property(rankings, (matches) => {
        const found = [
          computeRecall(matches, REFERENCES),
          computeNdcg10(matches, REFERENCES),
          computeReciprocalRank(matches),
        ];
        for (const value of found) expect(value >= 0 && value <= 1).toBe(true);
        expect(computeRecall(matches, REFERENCES) === 0).toBe(computeReciprocalRank(matches) === 0);
      }),
    );
  });

  it('nDCG and MRR do not decrease when an irrelevant result is removed', () => {
    fc.assert(
      fc.property(rankings, (matches) => {
        const at = matches.findIndex((numbers) => numbers.length === 0);
        const better = matches.toSpliced(at, at === -1 ? 0 : 1);
        expect(computeNdcg10(better, REFERENCES)).toBeGreaterThanOrEqual(computeNdcg10(matches, REFERENCES));
        expect(computeReciprocalRank(better)).toBeGreaterThanOrEqual(computeReciprocalRank(matches));
        expect(computeRecall(better, REFERENCES)).toBe(computeRecall(matches, REFERENCES));
      }),
    );
  });
});
