import { describe, expect, it } from 'vitest';
import { relevanceOf } from './relevance.js';

function ask(text: string): { text: string; weight: number }[] {
  return [{ text, weight: 1 }];
}

describe('the relevance of sentences', () => {
  it('grows with the number of question words, most for rare ones', () => {
    const sentences = ['The box is red.', 'The box is heavy.', 'The box is a gift.', 'The warranty is long.'];
    const { scores } = relevanceOf(sentences, ask('Is the warranty in the box?'));
    expect(scores.indexOf(Math.max(...scores))).toBe(3);
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
  });

  it('counts other forms of a word less than the word itself', () => {
    const sentences = ['He intercepted two.', 'His interceptions were two.', 'He came by train.'];
    const { scores } = relevanceOf(sentences, ask('interception'));
    expect(scores[1]).toBeGreaterThan(0);
    expect(scores[0]).toBeGreaterThan(0);
    expect(scores[2]).toBe(0);
    expect(relevanceOf(['interception', 'interceptions'], ask('interception')).scores[1]).toBeLessThan(1);
  });

  it('is not lower for a small number of sentences', () => {
    const few = ['The warranty lasts two years.', 'The office is in Lisbon.'];
    const many = [...few, ...Array.from({ length: 40 }, (_, at) => `Stone number ${at} is grey.`)];
    const question = ask('Is there a warranty?');
    const difference = relevanceOf(many, question).coverage - relevanceOf(few, question).coverage;
    expect(Math.abs(difference)).toBeLessThan(0.1);
  });

  it('covers a question only as far as the sentences contain its words', () => {
    const sentences = ['Shoes are in the cellar.', 'The lift is new.', 'The house of cards.', 'What a day.'];
    expect(relevanceOf(sentences, ask('Where are the shoes?')).coverage).toBeGreaterThan(0.4);
    expect(relevanceOf(sentences, ask('What is the capital of France?')).coverage).toBeLessThan(0.2);
    expect(relevanceOf(sentences, ask('quantum chromodynamics')).coverage).toBe(0);
  });

  it('weighs the words of an earlier question less', () => {
    const sentences = ['The warranty is long.', 'In Spain it is hot.', 'Nothing else.'];
    const { scores } = relevanceOf(sentences, [
      { text: 'and Spain?', weight: 1 },
      { text: 'warranty and Spain?', weight: 0.5 },
    ]);
    expect(scores[1]).toBeGreaterThan(scores[0] ?? 1);
    expect(scores[0]).toBeGreaterThan(0);
  });

  it('is empty for empty input', () => {
    expect(relevanceOf([], ask('x'))).toEqual({ scores: [], coverage: 0 });
    expect(relevanceOf(['a'], ask('?!'))).toEqual({ scores: [0], coverage: 0 });
  });
});
