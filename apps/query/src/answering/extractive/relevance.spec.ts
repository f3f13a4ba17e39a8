import { describe, expect, it } from 'vitest';
import { computeRelevance } from './relevance.js';

function createQuestionTexts(text: string): { text: string; weight: number }[] {
  return [{ text, weight: 1 }];
}

describe('the relevance of sentences for a question', () => {
  it('computeRelevance scores a sentence higher if it contains more words of the question, or question words that few other sentences contain', () => {
    const sentences = ['The box is red.', 'The box is heavy.', 'The box is a gift.', 'The warranty is long.'];
    const scores = computeRelevance(sentences, createQuestionTexts('Is the warranty in the box?'));
    expect(scores.indexOf(Math.max(...scores))).toBe(3);
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
  });

  it('computeRelevance scores a sentence with another form of a question word lower than one with the word itself', () => {
    const sentences = ['He intercepted two.', 'His interceptions were two.', 'He came by train.'];
    const scores = computeRelevance(sentences, createQuestionTexts('interception'));
    expect(scores[1]).toBeGreaterThan(0);
    expect(scores[0]).toBeGreaterThan(0);
    expect(scores[2]).toBe(0);
    expect(computeRelevance(['interception', 'interceptions'], createQuestionTexts('interception'))[1]).toBeLessThan(1);
  });

  it('computeRelevance returns the same score for a sentence among few sentences and among many', () => {
    const few = ['The warranty lasts two years.', 'The office is in Lisbon.'];
    const many = [...few, ...Array.from({ length: 40 }, (_, at) => `Stone number ${at} is grey.`)];
    const question = createQuestionTexts('Is there a warranty?');
    expect(computeRelevance(few, question)[0]).toBeCloseTo(computeRelevance(many, question)[0] ?? 0);
  });

  it('computeRelevance weighs the words of an earlier question less than those of the current one', () => {
    const sentences = ['The warranty is long.', 'In Spain it is hot.', 'Nothing else.'];
    const scores = computeRelevance(sentences, [
      { text: 'and Spain?', weight: 1 },
      { text: 'warranty and Spain?', weight: 0.5 },
    ]);
    expect(scores[1]).toBeGreaterThan(scores[0] ?? 1);
    expect(scores[0]).toBeGreaterThan(0);
  });

  it('computeRelevance returns 0 for a question without words', () => {
    expect(computeRelevance([], createQuestionTexts('x'))).toEqual([]);
    expect(computeRelevance(['a'], createQuestionTexts('?!'))).toEqual([0]);
  });
});
