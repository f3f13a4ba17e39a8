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
  return selectEvidence([LISBON, PORTO], texts).fragments.map(({ id }) => id);
}

describe('selectEvidence', () => {
  it('returns the fragments if one contains half of the question, whatever their scores', () => {
    expect(selectFor('When does the office open?')).toEqual([LISBON.id, PORTO.id]);
  });

  it('returns nothing if no fragment contains enough of the question', () => {
    expect(selectFor('Which suppliers deliver the batteries of the office lamps?')).toEqual([]);
    expect(selectEvidence([], [{ text: 'office', weight: 1 }]).fragments).toEqual([]);
  });

  it('returns nothing if no document contains a name of the question', () => {
    expect(selectFor('When does the office in Madrid open in the morning?')).toEqual([]);
  });

  it('leaves out documents without a name that is in the name or headings of another one', () => {
    expect(selectFor('When does the branch in Porto open?')).toEqual([PORTO.id]);
  });

  it('requires words beside the names in the headings, and returns the terms of these names', () => {
    expect(selectFor('Which suppliers deliver batteries for lamps to Porto?')).toEqual([]);
    const { titleTerms } = selectEvidence(
      [LISBON, PORTO],
      [{ text: 'When does the branch in Porto open?', weight: 1 }],
    );
    expect([...titleTerms]).toContain('porto');
    expect([...titleTerms]).not.toContain('branch');
  });

  it('keeps the documents that lack least, if each one lacks a name', () => {
    const branches = ['Lisbon', 'Porto'].map((context) =>
      createScoredFragment(`The branch ${context} opens in the morning.`, { context }),
    );
    const question = [{ text: 'When does the branch open in the morning, in Lisbon or in Porto?', weight: 1 }];
    expect(selectEvidence(branches, question).fragments).toEqual(branches);
  });

  it('accepts a passage with fewer of the words if its score is high', () => {
    const question = [{ text: 'Which morning does the museum, the library and the swimming pool open?', weight: 1 }];
    expect(selectEvidence([LISBON], question).fragments).toEqual([]);
    expect(selectEvidence([{ ...LISBON, score: 0.8 }], question).fragments).toHaveLength(1);
  });

  it('accepts a close passage in another language', () => {
    const question = [{ text: 'Wo sitzt die Firma?', weight: 1 }];
    expect(selectEvidence([{ ...LISBON, score: 0.8 }], question).fragments).toHaveLength(1);
    expect(selectEvidence([{ ...LISBON, score: 0.4 }], question).fragments).toEqual([]);
  });

  it('uses the question with its conversation if the question alone has no evidence', () => {
    expect(selectFor('And on which days?', 'When does the office open?\nAnd on which days?')).not.toEqual([]);
  });
});
