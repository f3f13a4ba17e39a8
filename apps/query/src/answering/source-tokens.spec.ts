import { describe, expect, it } from 'vitest';
import { createScoredFragment } from '../testing/knowledge.js';
import { buildKnowledgeBlock } from './knowledge-block.js';
import { SourceTokens } from './source-tokens.js';

describe('SourceTokens', () => {
  it('SourceTokens counts the tokens of a fragment once, and again only after other fragments have displaced the count from the cache', () => {
    const cache = new SourceTokens(2);
    const counted: string[] = [];
    const get = (id: string): number =>
      cache.getOrCount({ id }, () => {
        counted.push(id);
        return id.length;
      });
    expect([get('a'), get('bb'), get('a'), get('ccc'), get('a'), get('bb')]).toEqual([1, 2, 1, 3, 1, 2]);
    expect(counted).toEqual(['a', 'bb', 'ccc', 'bb']);
  });

  it('buildKnowledgeBlock returns the same block with and without a SourceTokens cache', () => {
    const long = 'word '.repeat(199); // 200 tokens
    const fragments = [1, 2, 3].map((number) => createScoredFragment(`${number} ${long}`));
    const cache = new SourceTokens();
    for (const budget of [10_000, 400, 10_000, 0, 300])
      expect(buildKnowledgeBlock(fragments, budget, cache)).toEqual(buildKnowledgeBlock(fragments, budget));
    const [first] = fragments;
    if (first === undefined) throw new Error('expected a fragment, found none');
    expect(cache.getOrCount(first, () => -1)).toBeGreaterThan(200);
  });
});
