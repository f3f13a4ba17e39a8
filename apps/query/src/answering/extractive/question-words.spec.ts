import { describe, expect, it } from 'vitest';
import { extractTerms } from '@quarry/text-analysis';
import { extractQuestionWords, hasSameStem, matchWord } from './question-words.js';

function listKinds(question: string): string[] {
  return extractQuestionWords(question).map(({ kind }) => kind);
}

function matchSingleWord(question: string, text: string): number[] {
  const terms = new Set(extractTerms(text));
  return extractQuestionWords(question).map((word) => matchWord(word, terms));
}

describe('extractQuestionWords', () => {
  it('extractQuestionWords omits stop words, and recognises names and numbers', () => {
    expect(listKinds('What did the company Apple earn in Q3 of 2023?')).toEqual([
      'word',
      'name',
      'word',
      'number',
      'number',
    ]);
  });

  it('extractQuestionWords classifies “NVIDIA” as a name, but neither the capitalised first word of a sentence nor the words of a question that is all in capitals', () => {
    expect(listKinds('Batteries of the lamp? Bulbs of the lamp?')).toEqual(['word', 'word', 'word', 'word']);
    expect(listKinds('REPORT OF GLOBEX')).not.toContain('name');
    expect(listKinds('NVIDIA revenue')).toEqual(['name', 'word']);
  });

  it('extractQuestionWords does not classify the first word of a sentence as a name if quotation marks or brackets end the previous sentence', () => {
    expect(listKinds('“Batteries of the lamp?”) [Bulbs')).toEqual(['word', 'word', 'word']);
    expect(listKinds('batteries (“Bulbs')).toEqual(['word', 'name']);
    expect(listKinds(')Bulbs of the lamp')).toEqual(['name', 'word']);
  });

  it('extractQuestionWords reads a question with thousands of quotation marks before many stop words in linear time', () => {
    expect(listKinds(`lamp."${'"'.repeat(16_000)}-${' of the'.repeat(2_200)}`)).toEqual(['word']);
  });

  it('extractQuestionWords classifies a word with a capital after a small letter, such as “iPhone”, as a name', () => {
    expect(listKinds('sales of iPhone and eBook')).toEqual(['word', 'name', 'name']);
  });

  it('extractQuestionWords splits text without spaces into words', () => {
    expect(extractQuestionWords('保証期間は何年').length).toBeGreaterThan(1);
    expect(matchSingleWord('保証期間', '保証期間は二年間です')).toEqual([1, 1]);
  });

  it('extractQuestionWords returns at most 48 words', () => {
    expect(extractQuestionWords('lamp '.repeat(100))).toHaveLength(48);
  });
});

describe('matchWord', () => {
  it('matchWord returns 1 for another form of a word, and for a compound such as “10-Q” only if the text contains all its parts', () => {
    expect(matchSingleWord("Globex's batteries", 'the battery of Globex')).toEqual([1, 1]);
    expect(matchSingleWord('the 10-Q', 'form 10-Q')).toEqual([1]);
    expect(matchSingleWord('the 10-Q', 'page 10')).toEqual([0]);
  });

  it('matchWord returns 0.7 if the text has a word with the same beginning, but 0 for a number with the same beginning', () => {
    expect(matchSingleWord('interceptionists', 'interception')).toEqual([0.7]);
    expect(matchSingleWord('Titel gewonnen', 'Titelverteidiger')).toEqual([0.7, 0]);
    expect(matchSingleWord('model 20234', 'model 20235')).toEqual([1, 0]);
  });
});

it('hasSameStem returns true if two terms share their first letters: at least four, and at least 60 % of the longer term', () => {
  expect(hasSameStem('intercept', 'interceptions')).toBe(true);
  expect(hasSameStem('inter', 'interceptions')).toBe(false);
  expect(hasSameStem('cat', 'cats')).toBe(false);
});
