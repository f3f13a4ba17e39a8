import { describe, expect, it } from 'vitest';
import { questionInContext, questionRewritten } from './search-texts.js';

describe('the texts to search with', () => {
  it('are the question alone at the beginning of a conversation', () => {
    expect(questionInContext('And in Spain?', []).texts).toEqual([{ text: 'And in Spain?', weight: 1 }]);
    expect(questionInContext('Hi', [{ role: 'assistant', text: 'Hello!' }]).texts).toHaveLength(1);
  });

  it('are also the question behind the one before it, with less weight', () => {
    const history = [
      { role: 'user', text: 'Who are you?' },
      { role: 'user', text: 'How long is the warranty in Norway?' },
      { role: 'assistant', text: 'Two years.' },
    ] as const;
    expect(questionInContext('And in Spain?', history).texts).toEqual([
      { text: 'And in Spain?', weight: 1 },
      { text: 'How long is the warranty in Norway?\nAnd in Spain?', weight: 0.5 },
    ]);
  });

  it('are the rewritten question, and with less weight the one that was asked', () => {
    expect(questionRewritten('How long in Spain?', 'And in Spain?')).toEqual({
      texts: [
        { text: 'How long in Spain?', weight: 1 },
        { text: 'And in Spain?', weight: 0.5 },
      ],
      whole: 'How long in Spain?',
    });
    expect(questionRewritten('How long?', 'How long?').texts).toHaveLength(1);
  });
});
