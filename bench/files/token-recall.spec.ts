import { describe, expect, it } from 'vitest';
import { tokenRecall, wordsOf } from './token-recall.js';

describe('the recall of words', () => {
  it('is the share of the reference that is in the text, in any order and case', () => {
    expect(tokenRecall('c B a', 'A b c d')).toEqual({ recall: 0.75, missing: ['d'] });
  });

  it('counts a word as often as it stands in the reference', () => {
    expect(tokenRecall('a b', 'a a b b')).toEqual({ recall: 0.5, missing: ['a', 'b'] });
  });

  it('takes a word that is cut at the end of a line for the word', () => {
    expect(wordsOf('ef- ﬁcient IR-2 self-made')).toEqual(['efficient', 'ir', '2', 'self', 'made']);
  });

  it('is whole where the reference says nothing', () => {
    expect(tokenRecall('', '<!-- image -->').recall).toBe(1);
  });

  it('looks at words alone, whatever marks stand around them', () => {
    expect(wordsOf('| **Large** | H₂O &amp; ﬁsh |')).toEqual(['large', 'h2o', 'fish']);
  });
});
