import type { ScoredFragment } from '@quarry/fragment-store';
import { describe, expect, it } from 'vitest';
import { createScoredFragment } from '../../testing/knowledge.js';
import { createBoilerplateDetector } from './detect-boilerplate.js';

const NOTICE =
  'The statements about the future in this report involve risks and uncertainties that nobody can foresee.';

/** Creates one fragment per text, each of another document, and detects boilerplate in the first text. */
function detectInFirst(...texts: readonly string[]): boolean {
  const fragments = texts.map((text, at) => createScoredFragment(text, { documentKey: `document-${at}` }));
  return detectInFirstFragment(fragments);
}

function detectInFirstFragment(fragments: readonly ScoredFragment[]): boolean {
  const [first] = fragments;
  if (first === undefined) throw new Error('expected a fragment, found none');
  return createBoilerplateDetector(fragments)(first.text, first);
}

describe('createBoilerplateDetector', () => {
  it('a sentence that two other documents contain is boilerplate', () => {
    expect(detectInFirst(NOTICE, NOTICE, `Note. ${NOTICE}`)).toBe(true);
  });

  it('documents of different datastores count as different documents, even if their keys are equal', () => {
    const fragments = ['d1', 'd2', 'd3'].map((datastoreId) =>
      createScoredFragment(NOTICE, { documentKey: 'notice.txt', datastoreId }),
    );
    expect(detectInFirstFragment(fragments)).toBe(true);
  });

  it('a sentence that only one other document contains is no boilerplate', () => {
    expect(detectInFirst(NOTICE, NOTICE)).toBe(false);
  });

  it('sentences that are equal except for their figures are no boilerplate', () => {
    const state = (sales: number, year: number): string =>
      `Sales of lamps rose by ${sales} percent to ${sales * 7} units in ${year}, from ${sales * 6} units in ${year - 1}.`;
    expect(detectInFirst(state(10, 2021), state(20, 2022), state(30, 2023))).toBe(false);
  });

  it('a short sentence is no boilerplate', () => {
    const sentence = 'Sales of lamps rose.';
    expect(detectInFirst(sentence, sentence, sentence)).toBe(false);
  });
});
