import { describe, expect, it } from 'vitest';
import { fitHistory } from './history.js';
import { estimateTokens } from './tokens.js';

const LONG = 'word '.repeat(97); // 100 tokens with the number in front

describe('fitHistory', () => {
  it('returns the newest messages that fit the token budget, oldest first, from a user message on', () => {
    const history = [
      { role: 'user', text: `1 ${LONG}` },
      { role: 'assistant', text: `2 ${LONG}` },
      { role: 'user', text: `3 ${LONG}` },
      { role: 'assistant', text: `4 ${LONG}` },
    ] as const;
    const listNumbers = (budget: number): (string | undefined)[] =>
      fitHistory(history, budget).map(({ text }) => text[0]);
    const two = history.slice(2).reduce((sum, { text }) => sum + estimateTokens(text), 0);
    expect(listNumbers(two)).toEqual(['3', '4']);
    expect(listNumbers(two - 1)).toEqual([]);
    expect(listNumbers(1_000)).toEqual(['1', '2', '3', '4']);
    expect(listNumbers(330)).toEqual(['3', '4']);
    expect(listNumbers(220)).toEqual(['3', '4']);
    expect(listNumbers(120)).toEqual([]);
    expect(listNumbers(0)).toEqual([]);
  });

  it('returns messages that alternate between user and assistant, and start with the user', () => {
    const history = [
      { role: 'assistant', text: 'Hello!' },
      { role: 'user', text: 'one' },
      { role: 'user', text: 'two' },
      { role: 'assistant', text: '  ' },
      { role: 'assistant', text: 'three' },
    ] as const;
    expect(fitHistory(history, 1_000)).toEqual([
      { role: 'user', text: 'one\n\ntwo' },
      { role: 'assistant', text: 'three' },
    ]);
  });
});
