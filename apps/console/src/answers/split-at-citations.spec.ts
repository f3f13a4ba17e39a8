import { describe, expect, it } from 'vitest';
import { splitAtCitations } from './split-at-citations.js';

describe('splitAtCitations', () => {
  it('splitAtCitations splits a text at the citation marks', () => {
    expect(splitAtCitations('Two years [1][3]. Water, too [2].', 3)).toEqual([
      { text: 'Two years' },
      { citation: 1 },
      { citation: 3 },
      { text: '. Water, too' },
      { citation: 2 },
      { text: '.' },
    ]);
  });

  it.each(['[0]', '[4]', '[a]', 'x[1', ''])('splitAtCitations finds no citation mark in %j', (text) => {
    expect(splitAtCitations(text, 3)).toEqual(text === '' ? [] : [{ text }]);
  });
});
