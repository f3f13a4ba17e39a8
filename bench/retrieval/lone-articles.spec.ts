import { describe, expect, it } from 'vitest';
import { listLoneArticles } from './lone-articles.js';

const documents = ['Rhine', 'Rhine', 'Oxygen', 'Force'].map((title, at) => ({
  ...{ id: `d${at}`, title },
  text: `${title} ${at}`,
}));
const queries = documents.map(({ id }, at) => ({
  ...{ id: `q${at}`, text: id, answers: [] },
  relevant: new Map([[id, 1]]),
}));

describe('listLoneArticles', () => {
  const articles = listLoneArticles({ name: 'set', documents, queries });

  it('listLoneArticles joins the texts of all documents with the same title into one article', () => {
    expect(articles.map(({ text }) => text)).toEqual(['Rhine 0\n\nRhine 1', 'Oxygen 2', 'Force 3']);
  });

  it('listLoneArticles lists the questions about an article as `own`, and the questions about the next article as `foreign`', () => {
    expect(articles.map(({ own }) => own.map(({ id }) => id))).toEqual([['q0', 'q1'], ['q2'], ['q3']]);
    expect(articles.map(({ foreign }) => foreign.map(({ id }) => id))).toEqual([['q2'], ['q3'], ['q0', 'q1']]);
  });
});
