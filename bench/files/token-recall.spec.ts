import { describe, expect, it } from 'vitest';
import { tokenRecall, wordsOf } from './token-recall.js';

describe('the recall of words', () => {
  it('is the share of reference words in the text, in any order and case', () => {
    expect(tokenRecall('c B a', 'A b c d')).toEqual({ recall: 0.75, missing: ['d'] });
  });

  it('compares the frequency of each word', () => {
    expect(tokenRecall('a b', 'a a b b')).toEqual({ recall: 0.5, missing: ['a', 'b'] });
  });

  it('joins a word that is hyphenated at the end of a line', () => {
    expect(wordsOf('ef- ﬁcient IR-2 self-made')).toEqual(['efficient', 'ir', '2', 'self', 'made']);
  });

  it('is 1 for an empty reference', () => {
    expect(tokenRecall('', '<!-- image -->').recall).toBe(1);
  });

  it('ignores punctuation around words', () => {
    expect(wordsOf('| **Large** | H₂O &amp; ﬁsh |')).toEqual(['large', 'h2o', 'fish']);
  });
});
