import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scored } from '../testing/knowledge.js';
import { buildKnowledgeBlock } from './knowledge-block.js';
import { estimateTokens } from './tokens.js';

describe('the knowledge in a prompt', () => {
  it('is numbered, and names the title and place of each source', () => {
    const { text } = buildKnowledgeBlock(
      [
        scored('Two years.', { context: 'Terms > Warranty', page: 12 }),
        scored('20 €', { context: 'Prices', location: 'sheet Prices, rows 40–80' }),
        scored('No title.'),
      ],
      1_000,
    );
    expect(text).toBe(
      [
        '<knowledge>',
        '<source id="1" title="Terms > Warranty" page="12">\nTwo years.\n</source>',
        '<source id="2" title="Prices" place="sheet Prices, rows 40–80">\n20 €\n</source>',
        '<source id="3">\nNo title.\n</source>',
        '</knowledge>',
      ].join('\n'),
    );
  });

  it('cannot be closed or extended by a text, a title or a place', () => {
    const hostile = fc
      .array(fc.constantFrom('<', '/', 'knowledge', 'source', ' ', '\n', '>', '"', 'SOURCE', ' id="9"', 'x', '\t'), {
        maxLength: 20,
      })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(hostile, hostile, hostile, (text, context, location) => {
        const block = buildKnowledgeBlock([scored(text, { context, location }), scored('second')], 10_000).text;
        expect(block.match(/<\s*knowledge\b/gi)).toHaveLength(1);
        expect(block.match(/<\s*\/\s*knowledge\b/gi)).toHaveLength(1);
        expect(block.match(/<\s*source\b/gi)).toHaveLength(2);
        expect(block.match(/<\s*\/\s*source\b/gi)).toHaveLength(2);
        expect(block.split('\n')[1]).toMatch(/^<source id="1"( title="[^"\n]*")?( place="[^"\n]*")?>$/);
      }),
    );
  });

  it('contains the sources that fit the budget, and truncates the last one', () => {
    const long = 'word '.repeat(199); // 200 tokens
    const fragments = [scored(`1 ${long}`), scored(`2 ${long}`), scored(`3 ${long}`)];
    const { text, sources } = buildKnowledgeBlock(fragments, 400);
    expect(sources.map(({ text: it }) => it[0])).toEqual(['1', '2']);
    expect(text.length).toBeGreaterThan(1_000);
    expect(estimateTokens(text)).toBeLessThan(400 + 30);
  });

  it('contains a part of the first source for every budget', () => {
    const { sources, text } = buildKnowledgeBlock([scored('long '.repeat(500)), scored('b')], 0);
    expect(sources).toHaveLength(1);
    expect(text).toContain('long long');
  });
});
