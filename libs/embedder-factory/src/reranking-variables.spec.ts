import { describe, expect, it } from 'vitest';
import { rerankingProblems, rerankingSource, RerankingVariables } from './index.js';

const given = (variables: Partial<RerankingVariables>) => Object.assign(new RerankingVariables(), variables);

describe('the variables of reranking', () => {
  it('configure nothing when there are none', () => {
    expect(rerankingSource(given({}))).toBeUndefined();
    expect(rerankingProblems(given({}))).toEqual([]);
  });

  it('name an address', () => {
    const variables = given({ QUARRY_RERANK_URL: 'http://tei:80/rerank', QUARRY_RERANK_FORM: 'tei' });
    expect(rerankingSource(variables)).toEqual({ address: { form: 'tei', url: 'http://tei:80/rerank' } });
    expect(rerankingProblems(variables)).toEqual([]);
  });

  it('name a model in a folder', () => {
    const variables = given({ QUARRY_RERANK_FOLDER: 'models', QUARRY_RERANK_MODEL: 'm' });
    expect(rerankingSource(variables)).toEqual({ local: { folder: 'models', model: 'm', download: false } });
    expect(rerankingProblems(variables)).toEqual([]);
  });

  it.each([
    [{ QUARRY_RERANK_URL: 'http://x/', QUARRY_RERANK_FOLDER: 'models' }, /exclude each other/],
    [{ QUARRY_RERANK_MODEL: 'm' }, /needs QUARRY_RERANK_URL or QUARRY_RERANK_FOLDER/],
    [{ QUARRY_RERANK_URL: 'http://x/' }, /QUARRY_RERANK_MODEL must be set/],
    [{ QUARRY_RERANK_FOLDER: 'models' }, /QUARRY_RERANK_MODEL must be set/],
  ])('are refused when they are %j', (variables, message) => {
    expect(rerankingProblems(given(variables))).toEqual([expect.stringMatching(message)]);
  });
});
