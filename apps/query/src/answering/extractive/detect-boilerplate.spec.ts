import { describe, expect, it } from 'vitest';
import { createScoredFragment } from '../../testing/knowledge.js';
import { createBoilerplateDetector } from './detect-boilerplate.js';

const NOTICE =
  'The statements about the future in this report involve risks and uncertainties that nobody can foresee.';

function createDetector(...texts: readonly string[]): ReturnType<typeof createBoilerplateDetector> {
  return createBoilerplateDetector(
    texts.map((text, at) => createScoredFragment(text, { documentKey: `document-${at}` })),
  );
}

describe('createBoilerplateDetector', () => {
  it('a sentence that two other documents contain is boilerplate', () => {
    expect(createDetector(NOTICE, NOTICE, `Note. ${NOTICE}`)(NOTICE, 'document-0')).toBe(true);
  });

  it('a sentence that only one other document contains is no boilerplate', () => {
    expect(createDetector(NOTICE, NOTICE)(NOTICE, 'document-0')).toBe(false);
  });

  it('a sentence that differs in its figures is no boilerplate', () => {
    const state = (sales: number, year: number): string =>
      `Sales of lamps rose by ${sales} percent to ${sales * 7} units in ${year}, from ${sales * 6} units in ${year - 1}.`;
    const detect = createDetector(state(10, 2021), state(20, 2022), state(30, 2023));
    expect(detect(state(10, 2021), 'document-0')).toBe(false);
  });

  it('a short sentence is no boilerplate', () => {
    expect(
      createDetector(
        'Sales of lamps rose.',
        'Sales of lamps rose.',
        'Sales of lamps rose.',
      )('Sales of lamps rose.', 'document-0'),
    ).toBe(false);
  });
});
