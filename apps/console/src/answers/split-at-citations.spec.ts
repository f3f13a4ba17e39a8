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

  it('splitAtCitations returns each source of a mark that cites a list or a range of sources', () => {
    expect(splitAtCitations('Both agree [2, 3]. So do all [1-3] [2].', 3)).toEqual([
      { text: 'Both agree' },
      { citation: 2 },
      { citation: 3 },
      { text: '. So do all' },
      { citation: 1 },
      { citation: 2 },
      { citation: 3 },
      { citation: 2 },
      { text: '.' },
    ]);
  });

  it.each(['[0]', '[4]', '[2, 4]', '[a]', 'x[1', 'Read arr[1] first', ''])(
    'splitAtCitations finds no citation mark in %j',
    (text) => {
      expect(splitAtCitations(text, 3)).toEqual(text === '' ? [] : [{ text }]);
    },
  );

  it('splitAtCitations returns streamed text unchanged at each length, because the sources arrive after the text', () => {
    const answer = 'Both agree [2, 3]. So do all [1-3].';
    for (let length = 1; length <= answer.length; length += 1) {
      const text = answer.slice(0, length);
      expect(splitAtCitations(text, 0)).toEqual([{ text }]);
    }
  });
});
