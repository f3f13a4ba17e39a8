import { describe, expect, it } from 'vitest';
import type { EvaluationSet } from './evaluation-set.js';
import { createMixedSet } from './mixed-set.js';

const QUESTIONS = [
  'Wie viele Punkte hatten die Panthers?',
  'Was geschah 1066?',
  'Panthers oder Broncos: wer gewann?',
  'Wie groß ist die Stadt?',
  'Who fuhr nach Rom?',
];
const ASKED = createSet('de', 'Die Panthers gewannen 1066 in Rom.', QUESTIONS);
const SEARCHED = createSet('en', 'Who said that the Panthers won in 1066? The city is big.', []);

describe('createMixedSet', () => {
  it('createMixedSet selects the questions with a number, or a name after the first word, that a relevant document contains', () => {
    const { name, documents, queries } = createMixedSet(ASKED, SEARCHED);
    expect(name).toBe('de in en');
    expect(documents).toBe(SEARCHED.documents);
    expect(queries.map(({ text }) => text)).toEqual([QUESTIONS[0], QUESTIONS[1]]);
    expect(queries.every(({ answers }) => answers.length === 0)).toBe(true);
  });
});

function createSet(name: string, text: string, questions: readonly string[]): EvaluationSet {
  const queries = questions.map((question, at) => ({
    id: String(at),
    text: question,
    relevant: new Map([['d', 1]]),
    answers: ['x'],
  }));
  return { name, documents: [{ id: 'd', title: '', text }], queries };
}
