import { describe, expect, it } from 'vitest';
import { createScoredFragment } from '../testing/knowledge.js';
import { selectEvidence } from './evidence.js';

const LISBON = createScoredFragment('The office in Lisbon opens at nine in the morning.', {
  context: 'Offices',
  score: 0.3,
});
const PORTO = createScoredFragment('It opens at ten.', { context: 'Branch in Porto', score: 0.25 });

function selectFor(...questions: readonly string[]): string[] {
  const texts = questions.map((text, at) => ({ text, weight: at === 0 ? 1 : 0.5 }));
  return selectEvidence([LISBON, PORTO], texts).map(({ id }) => id);
}

describe('selectEvidence', () => {
  it('returns the fragments if one contains half of the question, whatever their scores', () => {
    expect(selectFor('When does the office open?')).toEqual([LISBON.id, PORTO.id]);
  });

  it('returns nothing if no fragment contains enough of the question', () => {
    expect(selectFor('Which suppliers deliver the batteries of the office lamps?')).toEqual([]);
    expect(selectEvidence([], [{ text: 'office', weight: 1 }])).toEqual([]);
  });

  it('returns nothing if no document contains a name of the question', () => {
    expect(selectFor('When does the office in Madrid open in the morning?')).toEqual([]);
  });

  it('leaves out documents without a name that is in the name or headings of another one', () => {
    expect(selectFor('When does the branch in Porto open?')).toEqual([PORTO.id]);
  });

  it('keeps the documents that lack least, if each one lacks a name', () => {
    const branches = ['Lisbon', 'Porto'].map((context) =>
      createScoredFragment(`Opens at ten (${context}).`, { context }),
    );
    const question = [{ text: 'Which opens first, Lisbon or Porto?', weight: 1 }];
    expect(selectEvidence(branches, question)).toEqual(branches);
  });

  it('accepts a passage with fewer of the words if its score is high', () => {
    const question = [{ text: 'Which morning hours apply to visitors of the building?', weight: 1 }];
    expect(selectEvidence([LISBON], question)).toEqual([]);
    expect(selectEvidence([{ ...LISBON, score: 0.8 }], question)).toHaveLength(1);
  });

  it('accepts a close passage in another language', () => {
    const question = [{ text: 'Wo sitzt die Firma?', weight: 1 }];
    expect(selectEvidence([{ ...LISBON, score: 0.8 }], question)).toHaveLength(1);
    expect(selectEvidence([{ ...LISBON, score: 0.4 }], question)).toEqual([]);
  });

  it('uses the question with its conversation if the question alone has no evidence', () => {
    expect(selectFor('And on which days?', 'When does the office open?\nAnd on which days?')).not.toEqual([]);
  });
});
