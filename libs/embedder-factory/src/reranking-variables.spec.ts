import { describe, expect, it } from 'vitest';
import { findRerankingProblems, readRerankingSource, RerankingVariables } from './index.js';

const buildVariables = (variables: Partial<RerankingVariables>) => Object.assign(new RerankingVariables(), variables);

describe('the environment variables of reranking', () => {
  it('readRerankingSource returns undefined if no variable is set', () => {
    expect(readRerankingSource(buildVariables({}))).toBeUndefined();
    expect(findRerankingProblems(buildVariables({}))).toEqual([]);
  });

  it('readRerankingSource returns the address and the protocol of a reranker', () => {
    const variables = buildVariables({ QUARRY_RERANK_URL: 'http://tei:80/rerank', QUARRY_RERANK_FORM: 'tei' });
    expect(readRerankingSource(variables)).toEqual({ address: { form: 'tei', url: 'http://tei:80/rerank' } });
    expect(findRerankingProblems(variables)).toEqual([]);
  });

  it('readRerankingSource returns the folder and the name of a local reranking model', () => {
    const variables = buildVariables({ QUARRY_RERANK_FOLDER: 'models', QUARRY_RERANK_MODEL: 'm' });
    expect(readRerankingSource(variables)).toEqual({ local: { folder: 'models', model: 'm', download: false } });
    expect(findRerankingProblems(variables)).toEqual([]);
  });

  it.each([
    [{ QUARRY_RERANK_URL: 'http://x/', QUARRY_RERANK_FOLDER: 'models' }, /must not both be set/],
    [{ QUARRY_RERANK_MODEL: 'm' }, /requires QUARRY_RERANK_URL or QUARRY_RERANK_FOLDER/],
    [{ QUARRY_RERANK_URL: 'http://x/' }, /QUARRY_RERANK_MODEL must be set/],
    [{ QUARRY_RERANK_FOLDER: 'models' }, /QUARRY_RERANK_MODEL must be set/],
  ])('findRerankingProblems returns a problem for the variables %j', (variables, message) => {
    expect(findRerankingProblems(buildVariables(variables))).toEqual([expect.stringMatching(message)]);
  });
});
