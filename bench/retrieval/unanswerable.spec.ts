import { describe, expect, it } from 'vitest';
import { splitSetByArticles, listMissedAbstentionTargets } from './unanswerable.js';

const documents = ['Rhine', 'Rhine', 'Oxygen', 'Force'].map((title, at) => ({ id: `d${at}`, title, text: title }));
const queries = documents.map(({ id }, at) => ({
  ...{ id: `q${at}`, text: id, answers: [] },
  relevant: new Map([[id, 1]]),
}));

describe('a question set with half of its articles', () => {
  it('splitSetByArticles keeps all documents of every second article, and returns the questions about the other articles as `unanswerable`', () => {
    const { answerable, unanswerable } = splitSetByArticles({ name: 'set', documents, queries });
    expect(answerable.documents.map(({ id }) => id)).toEqual(['d0', 'd1', 'd3']);
    expect(answerable.queries.map(({ id }) => id)).toEqual(['q0', 'q1', 'q3']);
    expect(unanswerable.map(({ id }) => id)).toEqual(['q2']);
  });

  it('splitSetByArticles refuses a set whose documents have no titles', () => {
    const untitled = documents.map((document) => ({ ...document, title: '' }));
    expect(() => splitSetByArticles({ name: 'set', documents: untitled, queries })).toThrow(
      /at least two different titles in the set set, found 1/,
    );
  });
});

describe('listMissedAbstentionTargets', () => {
  it('listMissedAbstentionTargets reports too few abstentions on unanswerable questions and too many on answerable ones', () => {
    const met = { set: 's', unanswerable: 100, abstained: 80, answerable: 100, lost: 5, contained: 90 };
    expect(listMissedAbstentionTargets(met)).toEqual([]);
    expect(listMissedAbstentionTargets({ ...met, abstained: 79 })).toHaveLength(1);
    expect(listMissedAbstentionTargets({ ...met, abstained: 79, lost: 6 })).toHaveLength(2);
  });
});
