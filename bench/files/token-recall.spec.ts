import { describe, expect, it } from 'vitest';
import { computeTokenRecall, splitIntoWords } from './token-recall.js';

describe('token recall', () => {
  it('token recall is the share of the words of the reference that the text contains, in any order and case', () => {
    expect(computeTokenRecall('c B a', 'A b c d')).toEqual({ recall: 0.75, missing: ['d'] });
  });

  it('token recall counts a repeated word of the reference only as often as the text contains this word', () => {
    expect(computeTokenRecall('a b', 'a a b b')).toEqual({ recall: 0.5, missing: ['a', 'b'] });
  });

  it('token recall joins the two parts of a word that is hyphenated at the end of a line', () => {
    expect(splitIntoWords('ef- ﬁcient IR-2 self-made')).toEqual(['efficient', 'ir', '2', 'self', 'made']);
  });

  it('token recall is 1 for a reference that contains no words', () => {
    expect(computeTokenRecall('', '<!-- image -->').recall).toBe(1);
  });

  it('token recall ignores punctuation around words', () => {
    expect(splitIntoWords('| **Large** | H₂O &amp; ﬁsh |')).toEqual(['large', 'h2o', 'fish']);
  });
});
