import { describe, expect, it } from 'vitest';
import { createContextualQuestion, createRewrittenQuestion } from './search-texts.js';

describe('the texts of a search question', () => {
  it('contain only the question at the start of a conversation', () => {
    expect(createContextualQuestion('And in Spain?', []).texts).toEqual([{ text: 'And in Spain?', weight: 1 }]);
    expect(createContextualQuestion('Hi', [{ role: 'assistant', text: 'Hello!' }]).texts).toHaveLength(1);
  });

  it('contain the question, and the previous question joined with it at a lower weight', () => {
    const history = [
      { role: 'user', text: 'Who are you?' },
      { role: 'user', text: 'How long is the warranty in Norway?' },
      { role: 'assistant', text: 'Two years.' },
    ] as const;
    expect(createContextualQuestion('And in Spain?', history).texts).toEqual([
      { text: 'And in Spain?', weight: 1 },
      { text: 'How long is the warranty in Norway?\nAnd in Spain?', weight: 0.5 },
    ]);
  });

  it('contain the rewritten question, and the original question at a lower weight', () => {
    expect(createRewrittenQuestion('How long in Spain?', 'And in Spain?')).toEqual({
      texts: [
        { text: 'How long in Spain?', weight: 1 },
        { text: 'And in Spain?', weight: 0.5 },
      ],
      whole: 'How long in Spain?',
    });
    expect(createRewrittenQuestion('How long?', 'How long?').texts).toHaveLength(1);
  });
});
