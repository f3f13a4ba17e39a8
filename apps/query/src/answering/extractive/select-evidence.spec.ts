import { describe, expect, it } from 'vitest';
import type { ScoredFragment } from '@quarry/fragment-store';
import { createScoredFragment } from '../../testing/knowledge.js';
import { selectEvidence } from './select-evidence.js';

const LISBON = createScoredFragment('The office in Lisbon opens at nine in the morning.', {
  context: 'Offices',
  score: 0.3,
});
const PORTO = createScoredFragment('It opens at ten.', { context: 'Branch in Porto', score: 0.25 });

/** Scores of the test's passages for its question, if the datastore contains only these passages. */
const SCORES_AMONG_FEW = [0.233, 0.172, 0.091, 0.034, 0.027];
/** Scores of the same passages for the same question, if the datastore also contains many other passages. */
const SCORES_AMONG_MANY = [0.467, 0.271, 0.098, 0.077, 0.063];
const PASSAGES = [
  'Patented in 1868 by Christopher Latham Sholes, the typewriter revolutionized writing.',
  'The first word processors appeared in the 1960s.',
  'Word processors became successful with offices.',
  'Software replaced the typewriter on the desks.',
  'Spelling was corrected while the author wrote.',
];

function createPassages(scores: readonly number[]): ScoredFragment[] {
  return PASSAGES.map((text, at) => createScoredFragment(text, { score: scores[at] ?? 0, documentKey: 'history' }));
}

function selectEvidenceIds(...questions: readonly string[]): string[] {
  const texts = questions.map((text, at) => ({ text, weight: at === 0 ? 1 : 0.5 }));
  return selectEvidence([LISBON, PORTO], texts).fragments.map(({ id }) => id);
}

describe('selectEvidence', () => {
  it('if one fragment contains enough words of the question, selectEvidence returns all fragments, whatever their scores', () => {
    expect(selectEvidenceIds('When does the office open?')).toEqual([LISBON.id, PORTO.id]);
  });

  it('selectEvidence returns nothing if no fragment contains enough of the question words', () => {
    expect(selectEvidenceIds('Which suppliers deliver the batteries of the office lamps?')).toEqual([]);
    expect(selectEvidence([], [{ text: 'office', weight: 1 }]).fragments).toEqual([]);
  });

  it('selectEvidence returns nothing if the question contains a proper name that no document contains', () => {
    expect(selectEvidenceIds('When does the office in Madrid open in the morning?')).toEqual([]);
  });

  it('selectEvidence accepts a passage with a part of a German compound, because German nouns look like proper names', () => {
    const page = createScoredFragment('1901 wurde das Schweißen mit Sauerstoff demonstriert.', { score: 0.3 });
    const question = 'Welches Schweißverfahren wurde 1901 demonstriert?';
    expect(selectEvidence([page], [{ text: question, weight: 1 }]).fragments).toEqual([page]);
  });

  it('if the title or headings of a document contain a proper name from the question, selectEvidence omits documents without this name', () => {
    expect(selectEvidenceIds('When does the branch in Porto open?')).toEqual([PORTO.id]);
  });

  it('if the headings contain a proper name from the question, selectEvidence also requires other words of the question, and lists the name in `titleTerms`', () => {
    expect(selectEvidenceIds('Which suppliers deliver batteries for lamps to Porto?')).toEqual([]);
    const { titleTerms } = selectEvidence(
      [LISBON, PORTO],
      [{ text: 'When does the branch in Porto open?', weight: 1 }],
    );
    expect([...titleTerms]).toContain('porto');
    expect([...titleTerms]).not.toContain('branch');
  });

  it('selectEvidence keeps all documents if each lacks the same number of proper names from the question', () => {
    const branches = ['Lisbon', 'Porto'].map((context) =>
      createScoredFragment(`The branch ${context} opens in the morning.`, { context }),
    );
    const question = [{ text: 'When does the branch open in the morning, in Lisbon or in Porto?', weight: 1 }];
    expect(selectEvidence(branches, question).fragments).toEqual(branches);
  });

  it('selectEvidence accepts a passage with fewer words of the question if its score is far above the scores of other passages', () => {
    const question = [{ text: 'Which morning does the museum, the library and the pool open?', weight: 1 }];
    const selectWith = (score: number): number =>
      selectEvidence([LISBON, { ...PORTO, score }], question).fragments.length;
    expect(selectWith(0.28)).toBe(0);
    expect(selectWith(0.03)).toBe(2);
  });

  it('selectEvidence selects the same passages in a small and in a large datastore, although their scores differ', () => {
    const texts = [{ text: 'Who patented the first commercially successful typewriter?', weight: 1 }];
    expect(selectEvidence(createPassages(SCORES_AMONG_FEW), texts).fragments).toHaveLength(5);
    expect(selectEvidence(createPassages(SCORES_AMONG_MANY), texts).fragments).toHaveLength(5);
    const foreign = [{ text: 'Which suppliers deliver batteries for the first lamps?', weight: 1 }];
    expect(selectEvidence(createPassages(SCORES_AMONG_FEW), foreign).fragments).toEqual([]);
    expect(selectEvidence(createPassages(SCORES_AMONG_MANY), foreign).fragments).toEqual([]);
  });

  it('selectEvidence returns nothing if the only passage has few words of the question and the score 0', () => {
    const question = [{ text: 'Which morning does the museum, the library and the pool open?', weight: 1 }];
    expect(selectEvidence([{ ...LISBON, score: 0 }], question).fragments).toEqual([]);
  });

  it('if a passage and the question have different languages, selectEvidence accepts the passage if its score is at least 0.5', () => {
    const question = [{ text: 'Wo sitzt die Firma?', weight: 1 }];
    expect(selectEvidence([{ ...LISBON, score: 0.8 }], question).fragments).toHaveLength(1);
    expect(selectEvidence([{ ...LISBON, score: 0.4 }], question).fragments).toEqual([]);
  });

  it('if the fragments do not answer the question, selectEvidence uses the question joined with the previous question', () => {
    expect(selectEvidenceIds('And on which days?', 'When does the office open?\nAnd on which days?')).not.toEqual([]);
  });
});
